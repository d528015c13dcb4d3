import type { Address, Chain, HistoryItem } from '#server/chain/port.ts'
import { askTwoNodes } from '#server/chain/quorum.ts'
import { readHistorySince } from '#server/deposits/read-arrivals.ts'
import type { HistoryCursor } from './history-cursor.ts'

/**
 * `items` is what any of the nodes shows, by slot and signature. `shared` are those that every node shows in the same slot. Up
 * to the last of them every node has answered, so the cursor must not pass it.
 */
type TreasuryHistory = { items: HistoryItem[]; shared: HistoryItem[] }

/**
 * The treasury's finalized history after the slot of the cursor, as the first two nodes that answer (or the only one) show
 * it. A node may have a gap in its history, and hide a payout there. Null if fewer than two of several nodes answer.
 */
export async function readTreasuryHistory(
  chain: Chain,
  of: { address: Address; cursor: HistoryCursor | null; pageSize: number; notBefore?: bigint },
): Promise<TreasuryHistory | null> {
  const { cursor } = of
  const shown = await askTwoNodes(chain, (node) =>
    readHistorySince(node, { ...of, cursor: cursor?.signature ?? null, commitment: 'finalized' }),
  )
  if (shown === null) return null
  const places = shown.map((history) => new Set(history.map(placeOf)))
  // A node that does not know the cursor's transaction shows everything before it, too.
  const after = cursor?.slot ?? null
  const fresh = shown.flat().filter(({ slot }) => after === null || slot > after)
  const items = [...new Map(fresh.map((item) => [nameOf(item), item])).values()].toSorted(bySlot)
  return { items, shared: items.filter((item) => places.every((shownBy) => shownBy.has(placeOf(item)))) }
}

const placeOf = ({ slot, signature }: HistoryItem): string => `${slot} ${signature}`

/** Nodes may show different memos of one transaction. Each is considered. */
const nameOf = (item: HistoryItem): string => `${placeOf(item)} ${item.failed} ${item.memo}`

/** Nodes do not agree on the order within a slot. */
function bySlot(a: HistoryItem, b: HistoryItem): number {
  if (a.slot !== b.slot) return a.slot < b.slot ? -1 : 1
  if (a.signature === b.signature) return 0
  return a.signature < b.signature ? -1 : 1
}
