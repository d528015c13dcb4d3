import type {
  Address,
  Chain,
  HistoryItem,
  Receipt,
  SettledCommitment,
  Signature,
} from '#server/chain/port.ts'

/** How many receipts are asked for at once. */
const RECEIPTS_AT_ONCE = 8

/** One transaction in an address's history, and what it did for the owner; `receipt` is null where it failed. */
export type Arrival = { signature: Signature; slot: bigint; final: boolean; receipt: Receipt | null }

/**
 * Everything that happened to an address after the cursor, oldest first. Pages are read from the newest back until
 * the cursor, so however much has come since, nothing between is left out.
 */
export async function readHistorySince(
  chain: Chain,
  of: { address: Address; cursor: Signature | null; pageSize: number; commitment: SettledCommitment },
): Promise<HistoryItem[]> {
  const { address, cursor, pageSize, commitment } = of
  const items: HistoryItem[] = []
  for (;;) {
    const page = await chain.history(address, {
      limit: pageSize,
      commitment,
      until: cursor ?? undefined,
      before: items.at(-1)?.signature,
    })
    items.push(...page)
    if (page.length < pageSize) return items.toReversed()
  }
}

/**
 * What these transactions did for the owner, in their order. It ends before the first one that no node can show
 * any more or yet, so that nothing behind it is taken for done.
 */
export async function readArrivals(
  chain: Chain,
  of: { owner: Address; tokenAccount: Address },
  items: readonly HistoryItem[],
): Promise<Arrival[]> {
  const arrivals: Arrival[] = []
  for (let at = 0; at < items.length; at += RECEIPTS_AT_ONCE) {
    const some = items.slice(at, at + RECEIPTS_AT_ONCE)
    const read = await Promise.all(some.map((item) => readArrival(chain, of, item)))
    const missing = read.indexOf(null)
    arrivals.push(...(missing < 0 ? read : read.slice(0, missing)).filter((each) => each !== null))
    if (missing >= 0) break
  }
  return arrivals
}

async function readArrival(
  chain: Chain,
  of: { owner: Address; tokenAccount: Address },
  item: HistoryItem,
): Promise<Arrival | null> {
  const { signature } = item
  if (item.commitment === 'finalized' || item.commitment === null) {
    const receipt = await chain.receipt(signature, of, 'finalized')
    if (receipt) return { signature, slot: receipt.slot, final: true, receipt: succeeded(receipt) }
  }
  const receipt = await chain.receipt(signature, of, 'confirmed')
  return receipt && { signature, slot: receipt.slot, final: false, receipt: succeeded(receipt) }
}

const succeeded = (receipt: Receipt): Receipt | null => (receipt.failed ? null : receipt)
