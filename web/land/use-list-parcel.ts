import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listParcel } from '#contract/market.ts'
import type { Cotton } from '#game/cotton.ts'
import { call } from '#web/api/call.ts'
import { CallError } from '#web/api/call-error.ts'
import { session } from '#web/api/session.ts'
import { MARKET_KEY, MY_LISTINGS_KEY } from '#web/api/use-market-open.ts'
import { OWNED_LAND_KEY } from '#web/api/use-owned-land.ts'
import { useDialogResult } from '#web/ui/dialog-result.tsx'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { marketMessages } from '#web/messages/en-market.ts'

const READ_MS = 6_000

type Offer = { name: string; price: Cotton }

/** Lists this parcel, then calls `onListed`. `failure` is the reason if it was not; without the dialog a toast shows it. */
export function useListParcel(
  parcelId: string,
  onListed: () => void,
): {
  list: (offer: Offer) => void
  listing: boolean
  resting: boolean
  failure: string | null
  forgetFailure: () => void
} {
  const client = useQueryClient()
  // Back leaves the dialog meanwhile. Those of other parcels then show a state of their own.
  const { press, running, resting } = usePressOnce(`list-${parcelId}`)
  const { result, show, clear } = useDialogResult()
  const mutation = useMutation({
    mutationFn: ({ price }: Offer) =>
      call(listParcel, { body: { parcelId, price, walletAddress: session.get().walletAddress ?? '' } }),
    onSuccess: (_, { name, price }) => {
      showToast({
        kind: 'success',
        title: marketMessages.listedTitle,
        text: marketMessages.listedText(name, price),
        durationMs: READ_MS,
      })
      onListed()
    },
    onError: (error) => {
      const text = error instanceof CallError ? error.message : marketMessages.listingFailed
      show({ kind: 'error', text, durationMs: READ_MS })
    },
    onSettled: () => {
      for (const queryKey of [MARKET_KEY, MY_LISTINGS_KEY, OWNED_LAND_KEY])
        void client.invalidateQueries({ queryKey })
    },
  })
  const list = (offer: Offer): void =>
    press(() => {
      clear()
      return mutation.mutateAsync(offer)
    })
  return { list, listing: running, resting, failure: result?.text ?? null, forgetFailure: clear }
}
