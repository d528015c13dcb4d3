import type { Cotton } from '#game/cotton.ts'
import { checkReceiptQuorum } from '#server/chain/quorum.ts'
import {
  type Address,
  type Chain,
  ChainUnavailable,
  type HistoryItem,
  type Receipt,
  type SettledCommitment,
  type Signature,
} from '#server/chain/port.ts'

/** How many receipts are asked for at once. */
const RECEIPTS_AT_ONCE = 8

/** What a final receipt that is not entered yet waits for. */
export type PendingReason = 'second_node' | 'nodes_disagree'

/**
 * One transaction in an address's history, and what it did for the owner; `receipt` is null where it failed. Only what
 * is `final` is entered: a large deposit is that once two nodes show the same.
 */
export type Arrival = {
  signature: Signature
  slot: bigint
  final: boolean
  waitsFor: PendingReason | null
  receipt: Receipt | null
}

/**
 * Everything that happened to an address after the cursor, oldest first. Pages are read from the newest back until one
 * is empty, so however much has come since, nothing between is left out: a node may give fewer than were asked for, and
 * one that has not come so far may not answer, since it would take the place where a page ends for the end.
 */
export async function readHistorySince(
  chain: Chain,
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
    const page = await chain.history(address, {
      limit: pageSize,
      commitment,
      until: cursor ?? undefined,
      before: items.at(-1)?.signature,
      notBefore: items[0]?.slot ?? of.notBefore,
    })
    if (page.length === 0) return items.toReversed()
    if (page[0]!.signature === items[0]?.signature)
      throw new ChainUnavailable('A node gives one page for ever')
    items.push(...page)
  }
}

type Reading = { owner: Address; tokenAccount: Address; largeFrom: Cotton }

/**
 * What these transactions did for the owner, in their order; null in the place of one that no node can show any more
 * or yet. What is behind it is not kept waiting, but neither is it taken for done.
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

async function readArrival(chain: Chain, of: Reading, item: HistoryItem): Promise<Arrival | null> {
  const { signature } = item
  if (item.commitment === 'finalized' || item.commitment === null) {
    const receipt = await chain.receipt(signature, of, 'finalized')
    if (receipt) {
      const waitsFor = await findPendingReason(chain, of, receipt)
      return { signature, slot: receipt.slot, final: !waitsFor, waitsFor, receipt: succeeded(receipt) }
    }
  }
  const receipt = await chain.receipt(signature, of, 'confirmed')
  return (
    receipt && { signature, slot: receipt.slot, final: false, waitsFor: null, receipt: succeeded(receipt) }
  )
}

async function findPendingReason(chain: Chain, of: Reading, receipt: Receipt): Promise<PendingReason | null> {
  if (receipt.failed || receipt.amount < of.largeFrom) return null
  const quorum = await checkReceiptQuorum(chain, receipt, of)
  if (quorum === 'agreed') return null
  return quorum === 'no_quorum' ? 'second_node' : 'nodes_disagree'
}

const succeeded = (receipt: Receipt): Receipt | null => (receipt.failed ? null : receipt)
