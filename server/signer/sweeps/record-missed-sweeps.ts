import { readAgreedReceipt } from '#server/chain/quorum.ts'
import { type Address, memoTexts, type Receipt, type Signature } from '#server/chain/port.ts'
import { readHistorySince } from '#server/deposits/read-arrivals.ts'
import { sql } from '#server/platform/db/db.ts'
import { moveCursor, readCursor } from '../payouts/history-cursor.ts'
import type { Signer } from '../signer.ts'

const PAGE = 1_000

/** Anybody may write the memo of a sweep, and each such transaction costs a call to the nodes: so many in a round. */
const MAX_LOOKUPS_PER_ROUND = 400

/** How many receipts are asked for at once. */
const AT_ONCE = 8

const MEMO = /^s:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const readRecorded = sql(
  'sweeps-read-recorded',
  `select signature from sweeps where signature = any($1::text[]) and state <> 'failed'`,
)

// What the books call failed and has landed all the same is put right.
const insertSweeps = sql(
  'sweeps-insert-missed',
  `insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
   select distinct on (l.signature) gen_random_uuid(), token_account, l.amount, l.signature, '', 0, 'finalized', l.at
   from unnest($1::text[], $2::bigint[], $3::text[], $4::timestamptz[]) as l (token_account, amount, signature, at)
   join deposit_addresses a using (token_account) order by l.signature
   on conflict (signature) do update set state = 'finalized', amount = excluded.amount where sweeps.state = 'failed'
   returning token_account as "tokenAccount"`,
)

export type MissedSweepDeps = Pick<Signer, 'db' | 'chain' | 'clock'> & {
  treasury: Address
  treasuryTokens: Address
}

/** How many sweeps came into the books, and whether all that was to be read has been. */
export type RecordedSweeps = { recorded: number; done: boolean }

/**
 * Books the sweeps that the books do not know: those of the time that a restored backup has forgotten. They are read
 * from the treasury's history, from the last one read on, and each is booked when two nodes (or the only one) show that
 * it took tokens of a deposit account. Not done while the nodes do not agree on one, or while more is to be looked up
 * than a round looks up.
 */
export async function recordMissedSweeps(of: MissedSweepDeps): Promise<RecordedSweeps> {
  const { db, chain, clock, treasuryTokens: address } = of
  const cursor = await readCursor(db, 'sweeps_read_to')
  const items = await readHistorySince(chain, { address, cursor, pageSize: PAGE, commitment: 'finalized' })
  const named = items.filter(isSweep).map((item) => item.signature)
  const { recorded, open } = await recordSweeps(of, named, { maxLookups: MAX_LOOKUPS_PER_ROUND })
  const end = open ? items.findIndex((item) => item.signature === open) : items.length
  const newest = items[end - 1]
  if (newest) await moveCursor(db, { name: 'sweeps_read_to', signature: newest.signature, now: clock.now() })
  return { recorded, done: open === null }
}

/** The same over the whole history, wherever the signer has come to. */
export async function recordAllMissedSweeps(of: MissedSweepDeps): Promise<RecordedSweeps> {
  const { chain, treasuryTokens: address } = of
  const items = await readHistorySince(chain, {
    address,
    cursor: null,
    pageSize: PAGE,
    commitment: 'finalized',
  })
  const named = items.filter(isSweep).map((item) => item.signature)
  const { recorded, open } = await recordSweeps(of, named, { maxLookups: Infinity })
  return { recorded, done: open === null }
}

const isSweep = ({ memo, failed }: { memo: string | null; failed: boolean }): boolean =>
  !failed && memoTexts(memo).some((text) => MEMO.test(text))

/** Answers the first that waits: the nodes do not agree on it, or no call was left for it. */
async function recordSweeps(
  of: MissedSweepDeps,
  named: readonly Signature[],
  { maxLookups }: { maxLookups: number },
): Promise<{ recorded: number; open: Signature | null }> {
  let recorded = 0
  let open: Signature | null = null
  let lookupsLeft = maxLookups
  for (let from = 0; from < named.length; from += PAGE) {
    const page = named.slice(from, from + PAGE)
    const rows = await of.db.rows<{ signature: Signature }>(readRecorded, [page])
    const known = new Set(rows.map((row) => row.signature))
    const unknown = page.filter((signature) => !known.has(signature))
    const receipts = await readReceipts(of, unknown.slice(0, lookupsLeft))
    open ??= receipts.find(([, receipt]) => receipt === null)?.[0] ?? null
    recorded += await recordReceipts(
      of,
      receipts.flatMap(([, receipt]) => (receipt === null ? [] : [receipt])),
    )
    if (unknown.length > lookupsLeft) return { recorded, open: open ?? unknown[lookupsLeft]! }
    lookupsLeft -= unknown.length
  }
  return { recorded, open }
}

async function readReceipts(
  { chain, treasury, treasuryTokens }: MissedSweepDeps,
  signatures: readonly Signature[],
): Promise<[Signature, Receipt | null][]> {
  const ofTreasury = { owner: treasury, tokenAccount: treasuryTokens }
  const receipts: [Signature, Receipt | null][] = []
  for (let from = 0; from < signatures.length; from += AT_ONCE) {
    const some = signatures.slice(from, from + AT_ONCE)
    const asked = some.map(async (signature): Promise<[Signature, Receipt | null]> => {
      return [signature, await readAgreedReceipt(chain, signature, ofTreasury)]
    })
    receipts.push(...(await Promise.all(asked)))
  }
  return receipts
}

/** A stranger's memo changes nothing: only the key of a deposit account takes tokens out of it. */
async function recordReceipts({ db, clock }: MissedSweepDeps, receipts: readonly Receipt[]): Promise<number> {
  const moved = receipts
    .filter(({ failed, amount }) => !failed && amount > 0n)
    .flatMap(({ signature, blockTime, changes }) => {
      const emptied = changes.filter(({ amount }) => amount < 0n)
      const at = blockTime ?? clock.now()
      return emptied.map(({ account, amount }) => ({ account, amount: -amount, signature, at }))
    })
  if (moved.length === 0) return 0
  const rows = await db.rows(insertSweeps, [
    moved.map((each) => each.account),
    moved.map((each) => each.amount),
    moved.map((each) => each.signature),
    moved.map((each) => each.at),
  ])
  return rows.length
}
