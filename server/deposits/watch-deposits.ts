import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { measure } from '#server/platform/measure.ts'
import { isUnavailable } from '#server/platform/unavailable-error.ts'
import { type RunningRounds, startRounds } from '#server/platform/run-rounds.ts'
import { connectBoundChain, watcherChain } from './connect-bound-chain.ts'
import { creditDeposits, type ScanDeps } from './credit-deposits.ts'
import {
  type BalanceMismatch,
  readActiveGroup,
  readWatchedGroup,
  type WatchedAddress,
} from './find-mismatches.ts'
import type { Side } from './move-cursor.ts'
import type { DepositAddress } from './take-address.ts'
import {
  ageOfUnread,
  type BalanceProgress,
  compareAllBalances,
  markUnread,
  newBalanceProgress,
  readActiveMismatches,
} from './watch-balances.ts'
import { readFreeAddresses, watchFreeAddress } from './watch-free-addresses.ts'

const LOCAL_PACE_MS = 1_000
const PACE_MS = 5_000

/** The time between two passes over the balances of all addresses. */
const LOCAL_PASS_PAUSE_MS = 2_000
const PASS_PAUSE_MS = 20_000

/** How many histories are read per round because the last pass found another balance. */
const FOUND_IN_A_ROUND = 100

/** How many transactions of one history are read per round. The next round continues there. */
const MAX_TRANSACTIONS_PER_SCAN = 200

/** How many addresses with pending deposits are scanned per round. */
const PENDING_IN_A_ROUND = 50

/** Arrivals that no balance shows are found by reading both histories of a few addresses per round, in rotation. */
const ROTATION_PER_ROUND = 5

/** The owner's history shows only unsupported deposits, so the one of an active address is read less often. */
const ROUNDS_BETWEEN_OWNER_SCANS = 15
const OWNER_SCANS_PER_ROUND = 20

/** How many unassigned addresses are scanned in a round that reads owners' histories. */
const FREE_IN_A_ROUND = 20

const AT_ONCE = 4

const readPending = sql({
  name: 'watch-read-pending',
  params: { after: 'text', limit: 'integer' },
  row: rowOf<DepositAddress>(),
  text: ({ after, limit }) =>
    `select a.wallet, a.owner, a.token_account as "tokenAccount" from (
       select distinct wallet from receipts where state = 'pending' and wallet > ${after} order by wallet limit ${limit}
     ) p join deposit_addresses a on a.wallet = p.wallet order by a.wallet`,
})

/** After this many consecutive failures the round assumes that no node answers. */
const FAILURES_IN_A_ROW = 2 * AT_ONCE

export type WatchDeps = ScanDeps & { log: Log }

/** The position of the next round. */
export type WatchProgress = BalanceProgress & { rotationAfter: number; pendingAfter: string }

export const newWatchProgress = (number = 0): WatchProgress => ({
  ...newBalanceProgress(number),
  rotationAfter: 0,
  pendingAfter: '',
})

/**
 * One round that reads histories: of the addresses whose balances differ, of those with pending deposits, and of a few in
 * rotation. The number of calls per round is bounded, by any number of addresses and senders. An address that fails does
 * not delay the others. Rejects if no node answers.
 */
export async function watchRound(
  { log, ...deps }: WatchDeps,
  { progress, stopping }: { progress: WatchProgress; stopping: AbortSignal },
): Promise<void> {
  const number = progress.number++
  const finalSlot = await deps.chain.slot('finalized')
  measure({ of: 'slot', slot: finalSlot, at: deps.clock.now() })
  // One transaction may name many addresses. It is requested once per round.
  const reading = { ...deps, chain: { ...deps.chain, receipt: deps.chain.createReceiptReader() } }
  const due = new Map<string, Scan>()
  /** What follows from reading the histories of the token accounts whose balances differ from the books. */
  const differing = new Map<string, Outcomes>()
  const add = (address: DepositAddress, sides: Side[]): void => {
    const { owner, wallet, tokenAccount } = address
    if (due.get(owner)?.sides.includes('owner')) return
    const run = async (): Promise<void> => {
      const options = { sides, finalSlot, maxTransactions: MAX_TRANSACTIONS_PER_SCAN }
      const { waiting, ...read } = await creditDeposits(reading, address, options)
      for (const each of waiting) log.error({ wallet, ...each }, WAITING_MESSAGES[each.why])
      differing.get(tokenAccount)?.done(read)
    }
    due.set(owner, { owner, sides, run, failed: (why) => differing.get(tokenAccount)?.failed(why) })
  }
  const addMismatch = (mismatch: BalanceMismatch): void => {
    const { found, unexplained } = progress
    const { owner, tokenAccount } = mismatch
    const noteUnread = (): boolean => markUnread(progress, tokenAccount, deps.clock.now())
    differing.set(tokenAccount, {
      done({ finished, missing, settled }) {
        found.delete(tokenAccount)
        if (!finished) found.set(tokenAccount, mismatch)
        const stays = finished && unexplained.markRead(mismatch, number)
        // Nodes that show only a part of a history leave out deposits without a trace.
        const isHidden = stays && settled && mismatch.amount > mismatch.expected
        if (!missing && !isHidden) progress.unread.delete(tokenAccount)
        else if (noteUnread()) log.warn({ owner }, missing ? MISSING_MESSAGE : HIDDEN_MESSAGE)
      },
      // It is tried again after the others.
      failed({ isOutage }) {
        noteUnread()
        const isFound = found.delete(tokenAccount)
        if (isFound && isOutage) found.set(tokenAccount, mismatch)
      },
    })
    add(mismatch, ['token_account'])
  }

  const active = await readActiveGroup(deps.db, deps.clock.now())
  for (const address of await readNextPending(deps.db, progress)) add(address, ['token_account'])
  for (const mismatch of [...progress.found.values()].slice(0, FOUND_IN_A_ROUND)) addMismatch(mismatch)
  for (const mismatch of await readActiveMismatches(deps.chain, { active, progress, finalSlot }))
    addMismatch(mismatch)
  for (const address of await readNextInRotation(deps.db, progress)) add(address, ['token_account', 'owner'])
  if (number % ROUNDS_BETWEEN_OWNER_SCANS === 0) {
    const ownerRound = number / ROUNDS_BETWEEN_OWNER_SCANS
    for (const address of pickInRotation(active, ownerRound)) add(address, ['token_account', 'owner'])
    for (const address of await readFreeAddresses(deps.db, { round: ownerRound, atOnce: FREE_IN_A_ROUND })) {
      due.set(address.owner, {
        owner: address.owner,
        sides: [],
        run: () => watchFreeAddress(reading, address),
      })
    }
  }
  try {
    await runScans([...due.values()], { log, stopping })
  } finally {
    measure({ of: 'unread', ageMs: ageOfUnread(progress, deps.clock) })
  }
}

/** The active addresses whose owners' histories are due. */
function pickInRotation(active: readonly WatchedAddress[], ownerRound: number): WatchedAddress[] {
  if (active.length === 0) return []
  const from = (ownerRound * OWNER_SCANS_PER_ROUND) % active.length
  return [...active.slice(from), ...active.slice(0, from)].slice(0, OWNER_SCANS_PER_ROUND)
}

async function readNextPending(db: Db, progress: WatchProgress): Promise<DepositAddress[]> {
  const rows = await db.rows(readPending, { after: progress.pendingAfter, limit: PENDING_IN_A_ROUND })
  progress.pendingAfter = rows.length < PENDING_IN_A_ROUND ? '' : rows.at(-1)!.wallet
  return rows
}

async function readNextInRotation(db: Db, progress: WatchProgress): Promise<DepositAddress[]> {
  const rows = await readWatchedGroup(db, { after: progress.rotationAfter, limit: ROTATION_PER_ROUND })
  progress.rotationAfter = rows.length < ROTATION_PER_ROUND ? 0 : rows.at(-1)!.index
  return rows
}

const WAITING_MESSAGES = {
  second_node: 'large deposit pending: no second node has reported it yet',
  nodes_disagree: 'large deposit pending: the nodes report different amounts',
} as const

const MISSING_MESSAGE = 'no node returns a transaction of a deposit address'
const HIDDEN_MESSAGE = 'the history of a deposit address does not explain its balance'

type Outcomes = {
  done: (of: { finished: boolean; missing: boolean; settled: boolean }) => void
  /** `isOutage`: no node answered. */
  failed: (why: { isOutage: boolean }) => void
}

type Scan = { owner: string; sides: readonly Side[]; run(): Promise<void>; failed?: Outcomes['failed'] }

async function runScans(due: Scan[], { log, stopping }: { log: Log; stopping: AbortSignal }): Promise<void> {
  let failuresInARow = 0
  let isAnyRead = false
  let unavailable: unknown
  const work = async (): Promise<void> => {
    for (let next = due.shift(); next && !stopping.aborted; next = due.shift()) {
      try {
        await next.run()
        failuresInARow = 0
        isAnyRead = true
      } catch (error) {
        next.failed?.({ isOutage: isUnavailable(error) })
        if (!isUnavailable(error))
          log.error({ owner: next.owner, err: error }, 'failed to scan a deposit address')
        else {
          failuresInARow += 1
          unavailable = error
          if (failuresInARow < FAILURES_IN_A_ROW)
            log.warn(
              { owner: next.owner, reason: (error as Error).message },
              'failed to scan a deposit address: no node answered',
            )
          else due.length = 0
        }
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  // An address that no node can read fails last, after its timeout. It alone must not delay the next rounds.
  if (unavailable && (!isAnyRead || failuresInARow >= FAILURES_IN_A_ROW)) throw unavailable
}

/** Credits deposits, whether or not their players are online. */
export async function startWatcher(config: Config, log: Log): Promise<RunningRounds> {
  const progress = newWatchProgress()
  const settings = { url: config.databaseUrl, max: AT_ONCE + 1, applicationName: 'watcher', log }
  const histories = await startRounds(settings, async (db) => {
    const chain = await connectBoundChain(watcherChain(config), db, log)
    const deps = { db, chain, clock: systemClock, log, largeFrom: config.largeDeposit }
    return {
      round: (stopping) => watchRound(deps, { progress, stopping }),
      intervalMs: config.localChain ? LOCAL_PACE_MS : PACE_MS,
    }
  })
  const balances = await startRounds({ ...settings, max: 1, applicationName: 'balances' }, async (db) => {
    const chain = await connectBoundChain(watcherChain(config), db)
    return {
      round: (stopping) => compareAllBalances({ db, chain }, { progress, stopping }),
      intervalMs: config.localChain ? LOCAL_PASS_PAUSE_MS : PASS_PAUSE_MS,
    }
  })
  return { stop: async () => void (await Promise.all([histories.stop(), balances.stop()])) }
}
