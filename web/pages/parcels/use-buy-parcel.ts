import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { purchaseParcel } from '#contract/parcels.ts'
import type { Cotton } from '#game/cotton.ts'
import { call } from '#web/api/call.ts'
import { complete, UNKNOWN, UNKNOWN_AMOUNT } from '#web/api/complete.ts'
import { CallError } from '#web/api/call-error.ts'
import { isInDoubt } from '#web/api/is-in-doubt.ts'
import { readActingPlayer } from '#web/api/session.ts'
import { landKey } from '#web/land/use-land.ts'
import { readBalanceIfInDoubt, setBalance, useKnownBalance } from '#web/api/use-balance.ts'
import { type LandParcel, OWNED_LAND_KEY } from '#web/api/use-owned-land.ts'
import { playEffect } from '#web/audio/sound.ts'
import { applyPurchase } from '#web/realtime/land-changes.ts'
import { updateWorld } from '#web/realtime/world-state.ts'
import { useDialogResult } from '#web/ui/dialog-result.tsx'
import type { Outcome, OutcomeKind } from '#web/ui/outcome.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { messages } from '#web/messages/en.ts'

type Purchase = { parcel: LandParcel; price: Cotton; walletAddress: string }

/** Longer than other toasts, because these texts contain amounts. */
const READ_MS = 6_000

/**
 * Buys a parcel at the price that the player sees, after the checks of spec §5. If the price has moved, nothing is
 * charged, and the page shows the new price.
 */
export function useBuyParcel(details: Pick<LandParcel, 'parcelId' | 'ownerWallet'>): {
  buy: (parcel: LandParcel, price: Cotton) => void
  buying: boolean
  resting: boolean
  bought: boolean
  result: Outcome | null
  /** The last press failed because the balance is below the price. */
  lacksCredit: boolean
} {
  const client = useQueryClient()
  const balance = useKnownBalance()
  const { result, show, clear } = useDialogResult()
  const showProblem = (title: string, text: string, kind: OutcomeKind = 'error'): void =>
    show({ kind, title, text, durationMs: READ_MS })
  // The details can be closed during the purchase. Those of other land then show a state of their own.
  const { press, running, resting } = usePressOnce(`buy-${details.parcelId}`)
  const [lacksCredit, setLacksCredit] = useState(false)

  const purchase = useMutation({
    mutationFn: ({ parcel: { parcelId }, price, walletAddress }: Purchase) =>
      call(purchaseParcel, { body: { parcelId, walletAddress, expectedPrice: price } }),
    onSuccess: (answer, { parcel, price, walletAddress }) => {
      const { parcelId } = parcel
      const example = {
        parcel: { ownerWallet: walletAddress, pricePaid: price },
        newContinentPrice: UNKNOWN_AMOUNT,
        version: UNKNOWN,
      }
      const { parcel: bought, newContinentPrice, version } = complete(example, answer)
      const { ownerWallet, pricePaid } = bought
      updateWorld((world) =>
        applyPurchase(world, parcel.regionId, {
          parcelId,
          ownerWallet,
          newPrice: newContinentPrice,
          version,
        }),
      )
      setBalance(client, answer)
      playEffect('buy')
      show(successOf(parcelId, pricePaid))
      void client.invalidateQueries({ queryKey: OWNED_LAND_KEY })
    },
    onError: (error, { parcel }) => {
      const answered = error instanceof CallError && error.wasAnswered
      showProblem(
        answered ? landMessages.failedTitle : landMessages.errorTitle,
        error instanceof CallError ? error.message : messages.errors.unexpected,
      )
      // After any failure the page may be out of date.
      void client.invalidateQueries({ queryKey: landKey(parcel.regionId) })
      readBalanceIfInDoubt(client, error)
      if (isInDoubt(error)) void client.invalidateQueries({ queryKey: OWNED_LAND_KEY })
    },
  })

  const buy = (parcel: LandParcel, price: Cotton): unknown => {
    clear()
    setLacksCredit(false)
    const { token, walletAddress } = readActingPlayer()
    if (token === null) return showProblem(landMessages.walletTitle, landMessages.wallet, 'warning')
    if (!walletAddress) return showProblem(landMessages.walletTitle, landMessages.noAddress)
    if (parcel.owned) return showProblem(landMessages.alreadyOwnedTitle, landMessages.alreadyOwned)
    if (balance !== undefined && balance < price) {
      setLacksCredit(true)
      return showProblem(landMessages.creditTitle, landMessages.credit(price, balance))
    }
    return purchase.mutateAsync({ parcel, price, walletAddress })
  }
  // Without an answer, the owner of the parcel shows whether the purchase took effect.
  const { error, variables } = purchase
  const isMine =
    isInDoubt(error) && variables !== undefined && details.ownerWallet === variables.walletAddress
  return {
    buy: (parcel, price) => press(() => buy(parcel, price)),
    buying: running,
    resting,
    bought: purchase.isSuccess || isMine,
    result: isMine ? successOf(details.parcelId, variables.price) : result,
    lacksCredit,
  }
}

const successOf = (parcelId: string, pricePaid: Cotton): Outcome & { durationMs: number } => ({
  kind: 'success',
  title: landMessages.boughtTitle,
  text: landMessages.bought(parcelId, pricePaid),
  durationMs: READ_MS,
})
