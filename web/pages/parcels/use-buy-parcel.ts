import { useMutation, useQueryClient } from '@tanstack/react-query'
import { purchaseParcel } from '#contract/parcels.ts'
import { call } from '#web/api/call.ts'
import { Refused } from '#web/api/refused.ts'
import { session } from '#web/api/session.ts'
import { landKey } from '#web/api/use-land.ts'
import { setBalance, useBalance } from '#web/api/use-balance.ts'
import { type LandParcel, OWNED_LAND_KEY } from '#web/api/use-owned-land.ts'
import { playEffect } from '#web/audio/sound.ts'
import { learnPurchase } from '#web/realtime/land-news.ts'
import { tellNews } from '#web/realtime/news.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { landWords } from '#web/words/en-land.ts'
import { words } from '#web/words/en.ts'

type Purchase = { parcel: LandParcel; price: number }

/** A sentence with an amount in it takes longer to read than a toast stays. */
const READ_MS = 6_000

const complain = (title: string, text: string): void =>
  showToast({ kind: 'error', title, text, durationMs: READ_MS })

/**
 * Buys a parcel at the price that the player sees, after the checks of spec §5. Where the price is another by then,
 * nothing is charged, the server names the new one, and the page shows it.
 */
export function useBuyParcel(): {
  buy: (parcel: LandParcel, price: number) => void
  buying: boolean
  bought: boolean
} {
  const client = useQueryClient()
  const balance = useBalance()

  const purchase = useMutation({
    mutationFn: ({ parcel, price }: Purchase) =>
      call(purchaseParcel, {
        body: {
          parcelId: parcel.parcelId,
          walletAddress: session.get().walletAddress ?? '',
          expectedPrice: price,
        },
      }),
    onSuccess: ({ parcel: bought, newContinentPrice, newBalance, version }, { parcel }) => {
      const { parcelId, ownerWallet, pricePaid } = bought
      tellNews((news) =>
        learnPurchase(news, parcel.regionId, { parcelId, ownerWallet, newPrice: newContinentPrice, version }),
      )
      setBalance(client, newBalance)
      playEffect('buy')
      showToast({
        kind: 'success',
        title: landWords.boughtTitle,
        text: landWords.bought(parcelId, pricePaid),
        durationMs: READ_MS,
      })
      void client.invalidateQueries({ queryKey: OWNED_LAND_KEY })
    },
    onError: (error, { parcel }) => {
      const answered = error instanceof Refused && error.wasAnswered
      complain(
        answered ? landWords.failedTitle : landWords.errorTitle,
        error instanceof Refused ? error.message : words.errors.unexpected,
      )
      // Whatever made it fail, the page is behind.
      void client.invalidateQueries({ queryKey: landKey(parcel.regionId) })
    },
  })

  const buy = (parcel: LandParcel, price: number): void => {
    const { token, walletAddress } = session.get()
    if (token === null)
      showToast({
        kind: 'warning',
        title: landWords.walletTitle,
        text: landWords.wallet,
        durationMs: READ_MS,
      })
    else if (!walletAddress) complain(landWords.walletTitle, landWords.noAddress)
    else if (parcel.owned) complain(landWords.alreadyOwnedTitle, landWords.alreadyOwned)
    else if (balance !== undefined && balance < price)
      complain(landWords.creditTitle, landWords.credit(price, balance))
    else purchase.mutate({ parcel, price })
  }
  return { buy, buying: purchase.isPending, bought: purchase.isSuccess }
}
