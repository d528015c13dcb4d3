import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useFaucet as faucet } from '#contract/deposits.ts'
import { call } from '#web/api/call.ts'
import { sentenceFor } from '#web/api/refused.ts'
import { session } from '#web/api/session.ts'
import { WALLET_BALANCE_KEY } from '#web/api/use-wallet-balance.ts'
import gift from '#web/art/icons/gift.webp'
import { useArrival } from '#web/shell/use-arrival.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/frame.tsx'
import { Note } from '#web/ui/note.tsx'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { words } from '#web/messages/en.ts'
import styles from './profile.module.css'

const ID = 'test-tokens'

/** Local chain only: free tokens for the player's wallet. */
export function TestTokens() {
  const client = useQueryClient()
  const { press, running, resting } = usePressOnce('test-tokens')
  const pour = useMutation({
    mutationFn: () => call(faucet, { body: { walletAddress: session.get().walletAddress ?? '' } }),
    onSuccess: ({ amount }) =>
      showToast({
        kind: 'success',
        title: words.faucet.doneTitle,
        text: words.faucet.done(amount),
        durationMs: 5_000,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: WALLET_BALANCE_KEY }),
    onError: (error) => showToast({ kind: 'error', text: sentenceFor(error, words.faucet.failed) }),
  })
  // The first steps lead here.
  useArrival(ID)
  return (
    <Panel title={words.faucet.title} tone="kid" id={ID}>
      <div className={styles.managementIn}>
        <Note tone="ok" picture={gift}>
          {words.faucet.text}
        </Note>
        <div className={styles.foot}>
          <Button
            tone="leaf"
            block
            busy={running}
            resting={resting}
            onClick={() => press(() => pour.mutateAsync())}
          >
            {running ? words.faucet.busy : words.faucet.button}
          </Button>
        </div>
      </div>
    </Panel>
  )
}
