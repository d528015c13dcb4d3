import type { Cotton } from '#game/cotton.ts'
import type { Chain, Signature } from '#server/chain/port.ts'
import type { Clock } from '#server/platform/clock.ts'
import { LARGE_DEPOSIT } from '#server/platform/config.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { dropVanished } from './drop-vanished.ts'
import type { Side } from './move-cursor.ts'
import { lastOfReadSlots, readArrivals, readHistorySince } from './read-arrivals.ts'
import { type WaitingDeposit, recordArrivals } from './record-arrivals.ts'
import type { DepositAddress } from './take-address.ts'

/** The most signatures that a node returns in one page. */
const MAX_PAGE_SIZE = 1_000

/** How many transactions are credited in one database transaction. */
const BATCH_SIZE = 50

type CursorRow = { signature: Signature | null; assignedSlot: bigint | null }

const readCursors = {
  token_account: sql({
    name: 'deposits-read-cursor',
    params: { owner: 'text' },
    row: rowOf<CursorRow>(),
    text: ({ owner }) =>
      `select cursor_signature as signature, assigned_slot as "assignedSlot"
       from deposit_addresses where owner = ${owner}`,
  }),
  owner: sql({
    name: 'deposits-read-owner-cursor',
    params: { owner: 'text' },
    row: rowOf<CursorRow>(),
    text: ({ owner }) =>
      `select owner_cursor_signature as signature, assigned_slot as "assignedSlot"
       from deposit_addresses where owner = ${owner}`,
  }),
}

export type ScanOptions = {
  sides?: Side[]
  pageSize?: number
  /**
   * How many transactions of one history are read, and the rest of a slot with more; all by default. Anyone can add some, and
   * each costs a call.
   */
  maxTransactions?: number
  /** A finalized slot that the round has already read for all of its addresses. */
  finalSlot?: bigint
  /** Reads the whole histories, and not only what comes after the cursors. What is credited is not credited again. */
  fromStart?: boolean
}
export type ScanDeps = {
  db: Db
  chain: Chain
  clock: Clock
  /** From this amount on, two nodes must report the same deposit if several are configured. */
  largeFrom?: Cotton
}

/**
 * Scans one deposit address. Final deposits are credited, newer ones are stored as pending, unsupported deposits are
 * recorded. Any number of scans may run concurrently and be killed at any point: each deposit is credited once. `waiting`
 * are the final deposits that have started to wait for a second node. `finished` is false if the next scan has to continue,
 * because of `maxTransactions`. `missing` is true if no node returns a transaction in the history of the token account, and
 * `settled` if each transaction in it that was read is final and recorded.
 * Rejects with `ChainUnavailable`.
 */
export async function creditDeposits(
  { db, chain, clock, largeFrom = LARGE_DEPOSIT }: ScanDeps,
  address: DepositAddress,
  {
    sides = ['token_account', 'owner'],
    pageSize = MAX_PAGE_SIZE,
    maxTransactions = Infinity,
    ...options
  }: ScanOptions = {},
): Promise<{ waiting: WaitingDeposit[]; finished: boolean; missing: boolean; settled: boolean }> {
  // Read before the histories: a pending deposit older than this slot that they do not show has vanished.
  const finalSlot = options.finalSlot ?? (await chain.slot('finalized'))
  const seen = new Set<Signature>()
  const waiting: WaitingDeposit[] = []
  let finished = true
  let missing = false
  let settled = true
  for (const side of sides) {
    const cursorRow = (await db.rows(readCursors[side], { owner: address.owner }))[0] ?? null
    const stored = cursorRow?.signature ?? null
    const history = side === 'owner' ? address.owner : address.tokenAccount
    const items = await readHistorySince(chain, {
      address: history,
      cursor: options.fromStart ? null : stored,
      pageSize,
      commitment: 'confirmed',
      notBefore: finalSlot,
    })
    for (const item of items) seen.add(item.signature)
    const assignedSlot = cursorRow?.assignedSlot ?? null
    let unbroken = true
    let isCursorBlocked = false
    let cursor = stored
    let hasMoved = false
    for (let at = 0; at < items.length; at += BATCH_SIZE) {
      // What blocks the cursor may do so for long, and must not delay the transactions after it. A slot that is longer than
      // the limit is read to its end, or each scan would read the same transactions again.
      if (at >= maxTransactions && !isCursorBlocked && (hasMoved || !unbroken)) {
        finished = false
        break
      }
      const batch = await readArrivals(
        chain,
        { ...address, history, largeFrom },
        items.slice(at, at + BATCH_SIZE),
      )
      const to = unbroken ? lastOfReadSlots(batch, { items, at }) : null
      hasMoved ||= to !== null
      const arrivals = batch.filter((each) => each !== null)
      const move = to && { side, from: cursor, to }
      const recording = { address: { ...address, assignedSlot }, arrivals, clock, cursor: move }
      waiting.push(...(await db.transaction((tx) => recordArrivals(tx, recording))))
      cursor = to?.signature ?? cursor
      const allFinal = batch.every((each) => each?.final === true)
      if (side === 'token_account') {
        missing ||= batch.includes(null)
        settled &&= allFinal
      }
      unbroken &&= allFinal
      isCursorBlocked ||= batch.some((each) => each === null || each.waitsFor !== null)
    }
  }
  await dropVanished({ db, chain }, { address, seen, finalSlot })
  return { waiting, finished, missing, settled }
}
