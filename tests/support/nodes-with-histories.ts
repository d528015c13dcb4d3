import {
  type Address,
  type Chain,
  type HistoryItem,
  type Receipt,
  type Signature,
  UnknownTransaction,
} from '#server/chain/port.ts'

/** A node with this history, oldest first. */
export const showing =
  (...items: HistoryItem[]): Chain['history'] =>
  async (_address, { before, until, limit }) => {
    const newestFirst = items.toReversed()
    const from = newestFirst.findIndex(({ signature }) => signature === before) + 1
    const end = newestFirst.findIndex(({ signature }) => signature === until)
    return newestFirst.slice(from, end < 0 ? undefined : end).slice(0, limit)
  }

/** The same, with an error for a transaction that it does not know, as Agave 4.0 and newer. */
export const refusingUnknown =
  (...items: HistoryItem[]): Chain['history'] =>
  async (address, query) => {
    const named = [query.before, query.until].filter((each) => each !== undefined)
    if (named.some((each) => items.every(({ signature }) => signature !== each)))
      throw new UnknownTransaction('Transaction not found')
    return showing(...items)(address, query)
  }

/** A receipt of a transaction that brought nothing but what is given, as every node reports it. */
export const createReceipt = (of: Partial<Receipt> & Pick<Receipt, 'signature' | 'slot'>): Receipt => ({
  blockTime: null,
  failed: false,
  lifetime: 'a blockhash',
  amount: 0n,
  lamports: 0n,
  unsupported: [],
  changes: [],
  accounts: [],
  isDerived: true,
  ...of,
})

const itemOf = ({ signature, slot, failed }: Receipt): HistoryItem => ({
  signature,
  slot,
  failed,
  memo: null,
  commitment: 'finalized',
})

export type NodeRequests = { pages: Address[]; receipts: Signature[] }

/**
 * A chain whose addresses have these finalized transactions, oldest first. It returns at most `most` per page, and records
 * which histories and receipts are read.
 */
export function createChainWithHistories(
  histories: Record<string, readonly Receipt[]>,
  { most = 1_000 }: { most?: number } = {},
): { chain: Chain; asked: NodeRequests } {
  const asked: NodeRequests = { pages: [], receipts: [] }
  const chain: Partial<Chain> = {
    nodes: [],
    slot: async () => 1_000_000n,
    async history(address, query) {
      asked.pages.push(address)
      const items = (histories[address] ?? []).map(itemOf)
      return showing(...items)(address, { ...query, limit: Math.min(query.limit, most) })
    },
    async receipt(signature) {
      asked.receipts.push(signature)
      const all = Object.values(histories).flat()
      return all.find((receipt) => receipt.signature === signature) ?? null
    },
    statuses: async (signatures) => signatures.map(() => null),
  }
  return { chain: chain as Chain, asked }
}
