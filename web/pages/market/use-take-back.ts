import { useMutation, useQueryClient } from '@tanstack/react-query'
import { cancelListing } from '#contract/market.ts'
import { call } from '#web/api/call.ts'
import { sentenceFor } from '#web/api/refused.ts'
import { session } from '#web/api/session.ts'
import { MARKET_KEY, MY_LISTINGS_KEY } from '#web/api/use-market-open.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { marketWords } from '#web/words/en-market.ts'

const READ_MS = 6_000

/** Takes a listing off the market again. */
export function useTakeBack(): { takeBack: (listingId: string) => void; takingBack: boolean } {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: ({ listingId, walletAddress }: { listingId: string; walletAddress: string }) =>
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

  const takeBack = (listingId: string): void => {
    const { walletAddress } = session.get()
    if (walletAddress) mutation.mutate({ listingId, walletAddress })
    else showToast({ kind: 'error', text: marketWords.noAddress, durationMs: READ_MS })
  }
  return { takeBack, takingBack: mutation.isPending }
}
