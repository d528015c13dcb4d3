import { useMutation, useQueryClient } from '@tanstack/react-query'
import { purchaseListing } from '#contract/market.ts'
import { call } from '#web/api/call.ts'
import { CallError, getErrorMessage } from '#web/api/call-error.ts'
import { isInDoubt } from '#web/api/is-in-doubt.ts'
import { readActingPlayer, session } from '#web/api/session.ts'
import { readBalanceIfInDoubt, setBalance } from '#web/api/use-balance.ts'
import type { Listing } from '#web/land/use-listings.ts'
import { MARKET_KEY } from '#web/api/use-market-open.ts'
import { OWNED_LAND_KEY } from '#web/api/use-owned-land.ts'
import { playEffect } from '#web/audio/sound.ts'
import { useDialogResult } from '#web/ui/dialog-result.tsx'
import type { Outcome } from '#web/ui/outcome.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { marketMessages } from '#web/messages/en-market.ts'

/** Longer than other toasts, because these texts say what to do. */
const READ_MS = 6_000

/** Whether the player may confirm a purchase (spec §5). A toast states the reason if not. */
export function mayPurchase(listing: Listing): boolean {
  const { token, walletAddress } = readActingPlayer()
  if (token === null) {
    showToast({
      kind: 'warning',
      title: marketMessages.logInTitle,
      text: marketMessages.logIn,
      durationMs: READ_MS,
    })
    return false
  }
  const problem = !walletAddress
    ? { title: marketMessages.failedTitle, text: marketMessages.noAddress }
    : listing.sellerWalletAddress === walletAddress
      ? { title: marketMessages.ownTitle, text: marketMessages.own }
      : null
  if (problem) showToast({ kind: 'error', ...problem, durationMs: READ_MS })
  return problem === null
}

/** Buys this listing at the price that the player saw, and shows the result in the dialog. */
export function usePurchase(listingId: string): {
  purchase: (listing: Listing) => void
  purchasing: boolean
  resting: boolean
  bought: boolean
  /** The last attempt has no answer. It may have taken effect, and the next one counts as the same purchase. */
  inDoubt: boolean
  /** When the last attempt began, by the browser's clock; 0 before the first. */
  submittedAt: number
  result: Outcome | null
} {
  const client = useQueryClient()
  // Back leaves the dialog during the purchase. Those of other listings then show a state of their own.
  const { press, running, resting } = usePressOnce(`buy-listing-${listingId}`)
  const { result, show, clear } = useDialogResult()
  const mutation = useMutation({
    mutationFn: (listing: Listing) =>
      call(purchaseListing, {
        body: {
          listingId: listing.id,
          walletAddress: session.get().walletAddress ?? '',
          expectedPrice: listing.displayPrice ?? undefined,
        },
      }),
    onSuccess: (reply) => {
      setBalance(client, reply)
      playEffect('buy')
      show({
        kind: 'success',
        title: marketMessages.boughtTitle,
        text: reply.message || marketMessages.bought,
        durationMs: READ_MS,
      })
    },
    onError: (error) => {
      const answered = error instanceof CallError && error.wasAnswered
      show({
        kind: 'error',
        title: answered ? marketMessages.failedTitle : marketMessages.errorTitle,
        text: getErrorMessage(error, answered ? marketMessages.purchaseFailed : marketMessages.purchaseError),
        durationMs: READ_MS,
      })
      readBalanceIfInDoubt(client, error)
    },
    onSettled: () => {
      for (const queryKey of [MARKET_KEY, OWNED_LAND_KEY]) void client.invalidateQueries({ queryKey })
    },
  })

  const purchase = (listing: Listing): void =>
    press(() => {
      clear()
      return mayPurchase(listing) ? mutation.mutateAsync(listing) : undefined
    })
  const { error, isSuccess: bought, submittedAt } = mutation
  return { purchase, purchasing: running, resting, bought, inDoubt: isInDoubt(error), submittedAt, result }
}
