import { useMutation, useQueryClient } from '@tanstack/react-query'
import { cancelListing } from '#contract/market.ts'
import { call } from '#web/api/call.ts'
import { sentenceFor } from '#web/api/refused.ts'
import { actingPlayer } from '#web/api/session.ts'
import { MARKET_KEY, MY_LISTINGS_KEY } from '#web/api/use-market-open.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { marketWords } from '#web/messages/en-market.ts'

const READ_MS = 6_000

/** Takes a listing off the market again. The next one moves up under the pointer, so all of them share one guard. */
export function useTakeBack(listingId: string): {
  takeBack: () => void
  takingBack: boolean
  resting: boolean
} {
  const client = useQueryClient()
  const { press, running, resting } = usePressOnce('cancel', listingId)
  const mutation = useMutation({
    mutationFn: (walletAddress: string) =>
      call(cancelListing, { params: { listingId }, body: { walletAddress } }),
    onSuccess: ({ message }) =>
      showToast({
        kind: 'success',
        title: marketWords.takenTitle,
        text: message || marketWords.taken,
        durationMs: READ_MS,
      }),
    onError: (error) =>
      showToast({
        kind: 'error',
        text: sentenceFor(error, marketWords.takeFailed),
        durationMs: READ_MS,
      }),
    onSettled: () =>
      Promise.all([MARKET_KEY, MY_LISTINGS_KEY].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })

  const takeBack = (): unknown => {
    const { walletAddress } = actingPlayer()
    if (walletAddress) return mutation.mutateAsync(walletAddress)
    return showToast({ kind: 'error', text: marketWords.noAddress, durationMs: READ_MS })
  }
  return { takeBack: () => press(takeBack), takingBack: running, resting }
}
