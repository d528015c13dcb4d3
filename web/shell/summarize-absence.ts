import type * as z from 'zod/mini'
import type { HistoryItem } from '#contract/history.ts'
import type { ListingOnWire } from '#contract/market.ts'
import type { Withdrawal } from '#contract/withdrawals.ts'

/** What can happen to a player who is not there. */
export const KINDS = ['sold', 'deposit', 'paid', 'refunded', 'adjustment'] as const

/** All that happened of a kind: how often, and what it came to in $COTTON. */
export type EventSummary = {
  kind: (typeof KINDS)[number]
  count: number
  amount: number
  /** Of sold land: the countries. */
  names: readonly string[]
}

/** What a player's own lists tell. The listings are those they sold by. */
export type PlayerLists = {
  history: readonly Pick<z.output<typeof HistoryItem>, 'kind' | 'amount' | 'at'>[]
  withdrawals: readonly Pick<z.output<typeof Withdrawal>, 'state' | 'amount' | 'settledAt'>[]
  listings: readonly Pick<
    z.output<typeof ListingOnWire>,
    'status' | 'countryName' | 'sellerReceives' | 'purchaseDate'
  >[]
}

type Event = { kind: EventSummary['kind']; at: string | null; amount: number; name?: string }

/** What happened without the player after `since`, each kind summed up. Acts of their own are none of it. */
export function summarizeAbsence(
  since: Date,
  { history, withdrawals, listings }: PlayerLists,
): EventSummary[] {
  const events: Event[] = []
  for (const { status, purchaseDate: at, sellerReceives: amount, countryName: name } of listings) {
    if (status === 'sold') events.push({ kind: 'sold', at, amount, name })
  }
  for (const { kind, at, amount } of history) {
    if (kind === 'deposit' || kind === 'adjustment') events.push({ kind, at, amount })
  }
  for (const { state, settledAt: at, amount } of withdrawals) {
    if (state === 'finalized') events.push({ kind: 'paid', at, amount })
    if (state === 'refunded') events.push({ kind: 'refunded', at, amount })
  }
  const recent = events.filter(({ at }) => at !== null && Date.parse(at) > since.getTime())
  return KINDS.flatMap((kind) => {
    const mine = recent.filter((event) => event.kind === kind)
    if (mine.length === 0) return []
    const amount = mine.reduce((sum, event) => sum + event.amount, 0)
    return [{ kind, count: mine.length, amount, names: mine.flatMap(({ name }) => (name ? [name] : [])) }]
  })
}
