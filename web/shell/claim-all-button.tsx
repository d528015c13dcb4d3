import type { Cotton } from '#game/cotton.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { useClaimAll } from '#web/api/use-claim-all.ts'
import { playEffect } from '#web/audio/sound.ts'
import { awayMessages } from '#web/messages/en-away.ts'
import { farmMessages } from '#web/messages/en-farm.ts'
import { Button } from '#web/ui/button.tsx'
import { showToast } from '#web/ui/toast-store.ts'

const onClaimed = (amount: Cotton | null): void => {
  playEffect('claim')
  showToast({ kind: 'success', title: farmMessages.harvest, text: farmMessages.claimed(amount) })
}

const onFailed = (error: unknown): void => {
  const text = farmMessages.claimAllFailed(getErrorMessage(error, farmMessages.claimFailed))
  showToast({ kind: 'error', title: farmMessages.claimFailedTitle, text })
}

/** Claims what all pickers have ready. */
export function ClaimAllButton({ amount }: { amount: string }) {
  const { claim, claiming, resting } = useClaimAll()
  return (
    <Button
      movesValue
      tone="sun"
      size="sm"
      busy={claiming}
      resting={resting}
      onClick={() => claim({ onClaimed, onFailed })}
    >
      {awayMessages.claimAll(amount)}
    </Button>
  )
}
