import type * as z from 'zod/mini'
import type { Amounts } from '#web/api/amounts.ts'
import { type Cotton, sumOf } from '#game/cotton.ts'
import type { HistoryItem } from '#contract/history.ts'
import type { Withdrawal } from '#contract/withdrawals.ts'

/** What can happen to a player during an absence. */
const KINDS = ['sold', 'deposit', 'paid', 'refunded', 'adjustment'] as const

/** All events of one kind: their number and their total in $COTTON, null if an amount is unknown. */
export type EventSummary = {
  kind: (typeof KINDS)[number]
  count: number
  amount: Cotton | null
  /** The countries, for sold land. */
  names: readonly string[]
}

/** The player's own history and withdrawals. */
export type PlayerLists = {
  history: readonly Pick<Amounts<z.output<typeof HistoryItem>>, 'kind' | 'amount' | 'at' | 'detail'>[]
  withdrawals: readonly Pick<Amounts<z.output<typeof Withdrawal>>, 'state' | 'amount' | 'settledAt'>[]
}

type Event = { kind: EventSummary['kind']; at: string | null; amount: Cotton | null; name?: string }

/** Sums up, by kind, what happened to the player after `since`. The player's own actions are not included. */
export function summarizeAbsence(since: Date, { history, withdrawals }: PlayerLists): EventSummary[] {
  const events: Event[] = []
  for (const { kind, at, amount, detail } of history) {
    if (kind === 'deposit' || kind === 'adjustment') events.push({ kind, at, amount })
    // Of a resale the seller has an increase, and the buyer a decrease.
    if (kind === 'resale' && amount !== null && amount > 0n)
      events.push({ kind: 'sold', at, amount, name: String(detail.countryName ?? '') })
  }
  for (const { state, settledAt: at, amount } of withdrawals) {
    if (state === 'finalized') events.push({ kind: 'paid', at, amount })
    if (state === 'refunded') events.push({ kind: 'refunded', at, amount })
  }
  const recent = events.filter(({ at }) => at !== null && Date.parse(at) > since.getTime())
  return KINDS.flatMap((kind) => {
    const ofKind = recent.filter((event) => event.kind === kind)
    if (ofKind.length === 0) return []
    const amounts = ofKind.map((event) => event.amount)
    const amount = amounts.every((each) => each !== null) ? sumOf(amounts) : null
    return [{ kind, count: ofKind.length, amount, names: ofKind.flatMap(({ name }) => (name ? [name] : [])) }]
  })
}
