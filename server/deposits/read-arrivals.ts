import type { Cotton } from '#game/cotton.ts'
import { askEachNode, checkReceiptQuorum } from '#server/chain/quorum.ts'
import {
  type Address,
  type Chain,
  ChainUnavailable,
  type HistoryItem,
  type HistoryQuery,
  type Receipt,
  type SettledCommitment,
  type Signature,
  UnknownTransaction,
} from '#server/chain/port.ts'

/** How many receipts are requested concurrently. */
const RECEIPTS_AT_ONCE = 8

/** Why a finalized receipt is not credited yet. */
export type PendingReason = 'second_node' | 'nodes_disagree'

/**
 * One transaction in an address's history, and what it brought to the owner; `receipt` is null if it failed. Only `final`
 * arrivals are credited. A large deposit is `final` once two nodes report the same amount.
 */
export type Arrival = {
  signature: Signature
  slot: bigint
  final: boolean
  waitsFor: PendingReason | null
  receipt: Receipt | null
}

/**
 * The history of an address after the cursor, oldest first. Pages are read backwards from the newest until one is empty,
 * so nothing is skipped, because a node may return fewer items than requested. A node that is behind must not answer: it
 * does not know the last item of the page before, and would report the end of the history.
 */
export async function readHistorySince(
  chain: Pick<Chain, 'history'>,
  of: {
    address: Address
    cursor: Signature | null
    pageSize: number
    commitment: SettledCommitment
    notBefore?: bigint
  },
): Promise<HistoryItem[]> {
  const { address, cursor, pageSize, commitment } = of
  const items: HistoryItem[] = []
  for (;;) {
    const page = await readPage(chain, address, {
      limit: pageSize,
      commitment,
      until: cursor ?? undefined,
      before: items.at(-1)?.signature,
      notBefore: items[0]?.slot ?? of.notBefore,
    })
    if (page.length === 0) return withoutRepeats(items).toReversed()
    if (page[0]!.signature === items[0]?.signature)
      throw new ChainUnavailable('A node returns the same page again')
    items.push(...page)
  }
}

/** Nodes have listed a transaction twice. So do two that order a slot differently, if a page ends in that slot. */
export const withoutRepeats = (items: readonly HistoryItem[]): HistoryItem[] => [
  ...new Map(items.map((item) => [`${item.slot} ${item.signature}`, item])).values(),
]

/** A page, without regard to `until` if no node knows it any more: what is left is newer, or was read before. */
async function readPage(
  chain: Pick<Chain, 'history'>,
  address: Address,
  query: HistoryQuery,
): Promise<HistoryItem[]> {
  try {
    return await chain.history(address, query)
  } catch (error) {
    if (!(error instanceof UnknownTransaction) || query.until === undefined) throw error
    return chain.history(address, { ...query, until: undefined })
  }
}

/** `history` is the address whose history is read: the owner or the token account. */
type Reading = { owner: Address; tokenAccount: Address; history: Address; largeFrom: Cotton }

/**
 * What these transactions brought to the owner, in order; null for a transaction that no node returns. Such a gap does not
 * delay the arrivals after it, but the cursor must not pass it.
 */
export async function readArrivals(
  chain: Chain,
  of: Reading,
  items: readonly HistoryItem[],
): Promise<(Arrival | null)[]> {
  const arrivals: (Arrival | null)[] = []
  for (let at = 0; at < items.length; at += RECEIPTS_AT_ONCE) {
    const some = items.slice(at, at + RECEIPTS_AT_ONCE)
    arrivals.push(...(await Promise.all(some.map((item) => readArrival(chain, of, item)))))
  }
  return arrivals
}

/**
 * Where the cursor moves after this batch, whose first item is number `at`: to the end of the last slot before the first
 * transaction that is not final, or not in the batch, so that the rest is read again. Null if it stays. Not within a slot:
 * nodes order its transactions differently, and another one may show before the cursor what was not read yet.
 */
export function lastOfReadSlots(
  batch: readonly (Arrival | null)[],
  { items, at }: { items: readonly HistoryItem[]; at: number },
): Arrival | null {
  const open = batch.findIndex((each) => !each?.final)
  const read = open < 0 ? batch : batch.slice(0, open)
  const next = items[at + read.length]
  return read.findLast((each) => each !== null && (next === undefined || each.slot < next.slot)) ?? null
}

async function readArrival(chain: Chain, of: Reading, item: HistoryItem): Promise<Arrival | null> {
  const { signature } = item
  if (item.commitment === 'finalized' || item.commitment === null) {
    const receipt = await readReceipt(chain, of, { item, commitment: 'finalized' })
    if (receipt) {
      const waitsFor = await findPendingReason(chain, of, receipt)
      return { signature, slot: receipt.slot, final: !waitsFor, waitsFor, receipt: succeeded(receipt) }
    }
  }
  const receipt = await readReceipt(chain, of, { item, commitment: 'confirmed' })
  return (
    receipt && { signature, slot: receipt.slot, final: false, waitsFor: null, receipt: succeeded(receipt) }
  )
}

/**
 * The receipt of an item; null if no node returns one that belongs into this history. A node may list a transaction that it
 * cannot return, or one of its two answers is wrong, or the block was replaced in between. An answer that contradicts itself
 * counts as none, so another node is asked then, too. Rejects with `ChainUnavailable` if none answers.
 */
async function readReceipt(
  chain: Chain,
  of: Reading,
  { item, commitment }: { item: HistoryItem; commitment: SettledCommitment },
): Promise<Receipt | null> {
  const belongs = (receipt: Receipt | null): boolean =>
    receipt?.slot === item.slot && receipt.isDerived && receipt.accounts.includes(of.history)
  const ask = (node: Pick<Chain, 'receipt'>): Promise<Receipt | null> =>
    node.receipt(item.signature, of, commitment)
  let first: Receipt | null = null
  let failure: ChainUnavailable | null = null
  try {
    first = await ask(chain)
  } catch (error) {
    if (!(error instanceof ChainUnavailable) || chain.nodes.length < 2) throw error
    failure = error
  }
  if (belongs(first) || chain.nodes.length < 2) return belongs(first) ? first : null
  const shown = await askEachNode(chain, ask)
  if (failure && shown.length === 0) throw failure
  return shown.find(belongs) ?? null
}

async function findPendingReason(chain: Chain, of: Reading, receipt: Receipt): Promise<PendingReason | null> {
  if (receipt.failed || receipt.amount < of.largeFrom) return null
  const quorum = await checkReceiptQuorum(chain, receipt, of)
  if (quorum === 'agreed') return null
  return quorum === 'no_quorum' ? 'second_node' : 'nodes_disagree'
}

const succeeded = (receipt: Receipt): Receipt | null => (receipt.failed ? null : receipt)
