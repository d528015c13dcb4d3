import { readAgreedReceipts } from '#server/chain/quorum.ts'
import {
  type Address,
  type HistoryItem,
  memoTexts,
  type Receipt,
  type Signature,
} from '#server/chain/port.ts'
import { rowOf, rowset, sql } from '#server/platform/db/db.ts'
import { moveCursor, readCursor } from '../payouts/history-cursor.ts'
import { readTreasuryHistory } from '../payouts/read-treasury-history.ts'
import type { StepDeps } from '../step-deps.ts'

const PAGE = 1_000

/**
 * Anyone can write the memo of a sweep, and each such transaction costs a call to the nodes. A round ends with the slot in
 * which this limit is reached.
 */
const MAX_LOOKUPS_PER_ROUND = 400

const MEMO = /^s:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const readRecorded = sql({
  name: 'sweeps-read-recorded',
  params: { signatures: 'text[]' },
  row: rowOf<{ signature: Signature }>(),
  text: ({ signatures }) =>
    `select signature from sweeps where signature = any(${signatures}) and state <> 'failed'`,
})

// A sweep that was recorded as failed and landed after all becomes finalized.
const insertSweeps = sql({
  name: 'sweeps-insert-missed',
  params: {
    missed: rowset({ token_account: 'text', amount: 'bigint', signature: 'text', at: 'timestamptz' }),
  },
  row: rowOf<{ tokenAccount: Address }>(),
  text: ({
    missed,
  }) => `insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
    select distinct on (missed.signature) gen_random_uuid(), token_account, missed.amount, missed.signature, '', 0,
      'finalized', missed.at
    from ${missed} join deposit_addresses a using (token_account) order by missed.signature
    on conflict (signature) do update set state = 'finalized', amount = excluded.amount where sweeps.state = 'failed'
    returning token_account as "tokenAccount"`,
})

export type MissedSweepDeps = Pick<StepDeps, 'db' | 'chain' | 'clock'> & {
  treasury: Address
  treasuryTokens: Address
}

/** `recorded`: how many sweeps were added. `done`: the whole history was read. */
export type RecordedSweeps = { recorded: number; done: boolean }

const NOTHING_READ: RecordedSweeps = { recorded: 0, done: false }

/**
 * Records sweeps that a restored database does not contain. It reads the treasury's history from its cursor, and
 * records a sweep when two nodes (or the only node) report that it moved tokens out of a deposit account. Not `done`
 * while the nodes disagree about a sweep or only one of several shows the history, or when there are more transactions to
 * look up than the round's limit.
 */
export async function recordMissedSweeps(
  of: MissedSweepDeps & Pick<StepDeps, 'log'>,
): Promise<RecordedSweeps> {
  const { db, chain, clock, treasuryTokens: address } = of
  const cursor = await readCursor(db, 'sweeps_read_to')
  const history = await readTreasuryHistory(chain, { address, cursor, pageSize: PAGE })
  if (history === null) return NOTHING_READ
  const { items, shared } = history
  const { recorded, open } = await recordSweeps(of, items, { maxLookups: MAX_LOOKUPS_PER_ROUND })
  if (recorded > 0) of.log.warn({ recorded }, 'sweeps that the database did not contain were recorded')
  const reached = shared.at(-1)?.slot ?? -1n
  // Not within the slot that waits: nodes do not agree on the order there. In a gap of one node it follows the other.
  const newest = items.findLast(({ slot }) => slot <= reached && (open === null || slot < open))
  if (newest) await moveCursor(db, { name: 'sweeps_read_to', to: newest, now: clock.now() })
  return { recorded, done: open === null }
}

/** The same over the whole history, regardless of the cursor. */
export async function recordAllMissedSweeps(of: MissedSweepDeps): Promise<RecordedSweeps> {
  const { chain, treasuryTokens: address } = of
  const history = await readTreasuryHistory(chain, { address, cursor: null, pageSize: PAGE })
  if (history === null) return NOTHING_READ
  const { recorded, open } = await recordSweeps(of, history.items, { maxLookups: Infinity })
  return { recorded, done: open === null }
}

const isSweep = ({ memo, failed }: HistoryItem): boolean =>
  !failed && memoTexts(memo).some((text) => MEMO.test(text))

/** `open` is the slot of the first transaction that must wait: the nodes disagree about it, or the limit was reached. */
async function recordSweeps(
  of: MissedSweepDeps,
  items: readonly HistoryItem[],
  { maxLookups }: { maxLookups: number },
): Promise<{ recorded: number; open: bigint | null }> {
  const { chain, treasury, treasuryTokens } = of
  const ofTreasury = { owner: treasury, tokenAccount: treasuryTokens }
  const named = items.filter(isSweep)
  let recorded = 0
  let open: bigint | null = null
  let lookupsLeft = maxLookups
  let lastSlot: bigint | null = null
  for (let from = 0; from < named.length; from += PAGE) {
    const page = named.slice(from, from + PAGE)
    const rows = await of.db.rows(readRecorded, { signatures: signaturesOf(page) })
    const known = new Set(rows.map((row) => row.signature))
    const unknown = page.filter(({ signature }) => !known.has(signature))
    lastSlot ??= unknown[lookupsLeft - 1]?.slot ?? null
    const within = unknown.filter(({ slot }) => lastSlot === null || slot <= lastSlot)
    const slotOf = new Map(within.map(({ signature, slot }) => [signature, slot]))
    const receipts: Receipt[] = []
    for await (const [signature, receipt] of readAgreedReceipts(chain, signaturesOf(within), ofTreasury)) {
      if (receipt) receipts.push(receipt)
      else open ??= slotOf.get(signature)!
    }
    recorded += await recordReceipts(of, receipts)
    const next = unknown[within.length]
    if (next) return { recorded, open: open ?? next.slot }
    lookupsLeft -= unknown.length
  }
  return { recorded, open }
}

const signaturesOf = (items: readonly HistoryItem[]): Signature[] => items.map(({ signature }) => signature)

/** A memo alone proves nothing. Only the key of a deposit account can move tokens out of it. */
async function recordReceipts({ db, clock }: MissedSweepDeps, receipts: readonly Receipt[]): Promise<number> {
  const missed = receipts
    .filter(({ failed, amount }) => !failed && amount > 0n)
    .flatMap(({ signature, blockTime, changes }) => {
      const emptied = changes.filter(({ amount }) => amount < 0n)
      const at = blockTime ?? clock.now()
      return emptied.map(({ account, amount }) => ({
        token_account: account,
        amount: -amount,
        signature,
        at,
      }))
    })
  if (missed.length === 0) return 0
  return (await db.rows(insertSweeps, { missed })).length
}
