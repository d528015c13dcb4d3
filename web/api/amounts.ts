import type { IsWireAmount } from '#contract/values.ts'
import type { Cotton } from '#game/cotton.ts'

declare const unread: unique symbol

/** An amount of a reply that `complete` has not converted yet. Nothing can be computed with it. */
export type UnreadAmount = { readonly [unread]: 'cotton' }

/** A type of the contract with `Amount` in place of each JSON number of $COTTON. Unknown amounts are null. */
export type Amounts<T, Amount = Cotton | null> = T extends unknown
  ? IsWireAmount<T> extends true
    ? Amount
    : T extends object
      ? { [K in keyof T]: Amounts<T[K], Amount> }
      : T
  : never
