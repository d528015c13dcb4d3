import { useMutation, useQueryClient } from '@tanstack/react-query'
import { cancelListing, listParcel } from '#contract/market.ts'
import { call } from '#web/api/call.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { forgetUnanswered } from '#web/api/idempotency-keys.ts'
import { readActingPlayer } from '#web/api/session.ts'
import { MARKET_KEY, MY_LISTINGS_KEY } from '#web/api/use-market-open.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { marketMessages } from '#web/messages/en-market.ts'

const READ_MS = 6_000

/** Cancels a listing. The next card moves under the pointer, so all cards share one guard against a second press. */
export function useCancelListing(listingId: string): {
  cancel: () => void
  cancelling: boolean
  resting: boolean
} {
  const client = useQueryClient()
  const { press, running, resting } = usePressOnce('cancel', listingId)
  const readAgain = () =>
    Promise.all([MARKET_KEY, MY_LISTINGS_KEY].map((queryKey) => client.invalidateQueries({ queryKey })))
  const mutation = useMutation({
    mutationFn: (walletAddress: string) =>
      call(cancelListing, { params: { listingId }, body: { walletAddress } }),
    onSuccess: async ({ message }) => {
      forgetUnanswered(listParcel)
      showToast({
        kind: 'success',
        title: marketMessages.listingCancelledTitle,
        text: message || marketMessages.listingCancelled,
        durationMs: READ_MS,
      })
      await readAgain()
    },
    onError: (error) => {
      showToast({
        kind: 'error',
        text: getErrorMessage(error, marketMessages.cancelFailed),
        durationMs: READ_MS,
      })
      void readAgain()
    },
  })

  const cancel = (): unknown => {
    const { walletAddress } = readActingPlayer()
    if (walletAddress) return mutation.mutateAsync(walletAddress)
    return showToast({ kind: 'error', text: marketMessages.noAddress, durationMs: READ_MS })
  }
  return { cancel: () => press(cancel), cancelling: running, resting }
}
