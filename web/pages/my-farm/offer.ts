import { baseUnits, type Cotton, wholeOf } from '#game/cotton.ts'
import type { PickerFacts } from '#web/api/use-worker-types.ts'

/** What a field without pickers offers: to hire one, how much is missing for it, or that none is left. */
export type Offer =
  | { kind: 'hire'; price: Cotton }
  | { kind: 'too-dear'; missing: Cotton }
  | { kind: 'sold-out' }

/** An unknown balance or supply does not prevent the offer: the page that sells the picker checks both. */
export function offerOf(
  { price, available }: Pick<PickerFacts, 'price' | 'available'>,
  balance: Cotton | undefined,
): Offer {
  if (available !== undefined && available <= 0) return { kind: 'sold-out' }
  if (balance === undefined || balance >= price) return { kind: 'hire', price }
  return { kind: 'too-dear', missing: baseUnits(price - wholeOf(balance)) }
}
