import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useFaucet as faucet } from '#contract/deposits.ts'
import { call } from '#web/api/call.ts'
import { readAmount } from '#web/api/complete.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { session } from '#web/api/session.ts'
import { WALLET_BALANCE_KEY } from '#web/api/use-wallet-balance.ts'
import gift from '#web/art/icons/gift.webp'
import { useScrollToHash } from '#web/shell/use-scroll-to-hash.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/frame.tsx'
import { Note } from '#web/ui/note.tsx'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { messages } from '#web/messages/en.ts'
import styles from './profile.module.css'

const ID = 'test-tokens'

/** Local chain only: free tokens for the player's wallet. */
export function TestTokens() {
  const client = useQueryClient()
  const { press, running, resting } = usePressOnce('test-tokens')
  const requestTokens = useMutation({
    mutationFn: () => call(faucet, { body: { walletAddress: session.get().walletAddress ?? '' } }),
    onSuccess: ({ amount }) =>
      showToast({
        kind: 'success',
        title: messages.faucet.doneTitle,
        text: messages.faucet.done(readAmount(amount)),
        durationMs: 5_000,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: WALLET_BALANCE_KEY }),
    onError: (error) => showToast({ kind: 'error', text: getErrorMessage(error, messages.faucet.failed) }),
  })
  // The first steps link here.
  useScrollToHash(ID)
  return (
    <Panel title={messages.faucet.title} tone="info" id={ID}>
      <div className={styles.managementIn}>
        <Note tone="ok" picture={gift}>
          {messages.faucet.text}
        </Note>
        <div className={styles.foot}>
          <Button
            tone="leaf"
            block
            busy={running}
            resting={resting}
            onClick={() => press(() => requestTokens.mutateAsync())}
          >
            {running ? messages.faucet.busy : messages.faucet.button}
          </Button>
        </div>
      </div>
    </Panel>
  )
}
