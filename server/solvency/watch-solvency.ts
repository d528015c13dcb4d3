import type { Chain } from '#server/chain/port.ts'
import { isSlotReached } from '#server/chain/quorum.ts'
import { connectBoundChain, readBoundChain, watcherChain } from '#server/deposits/connect-bound-chain.ts'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { measure } from '#server/platform/measure.ts'
import { type RunningRounds, startRounds } from '#server/platform/run-rounds.ts'
import { pauseWithdrawals, readPause } from '#server/withdrawals/withdrawal-pause.ts'
import { restAfterRounds } from './rest-after-rounds.ts'
import { storeSnapshot, type ReserveSnapshot, readSnapshot } from './reserve-snapshot.ts'
import { recordCreditSupply } from './record-credit-supply.ts'
import { takeSnapshot } from './take-snapshot.ts'
import type { ReserveComparison } from './compare-reserve.ts'

const LOCAL_PACE_MS = 2_000
const PACE_MS = 5_000

/** A shortage that payouts in flight could explain may be the lag of a node. After this time it is confirmed. */
const LONGEST_LAG_MS = 60_000

/**
 * How far a snapshot may be ahead of the slot that two nodes have reached, because one of two may be stuck: an hour at 400 ms a
 * slot and half an hour at the 200 ms of mainnet.
 */
const FURTHEST_AHEAD_SLOTS = 9_000n

/**
 * `coldWallets` are wallets of the operator that hold tokens of the game. `reported` are impossible accounts that the log
 * names already.
 */
export type WatchDeps = {
  db: Db
  chain: Chain
  clock: Clock
  log: Log
  coldWallets?: readonly string[]
  reported?: Set<string>
}

/** The solvency checks of the role `watcher`. */
export function startSolvencyWatch(config: Config, log: Log): Promise<RunningRounds> {
  const settings = { url: config.databaseUrl, max: 2, applicationName: 'solvency', log }
  return startRounds(settings, async (db) => {
    const deps = {
      db,
      chain: await connectBoundChain(watcherChain(config), db),
      clock: systemClock,
      log,
      coldWallets: config.coldWallets,
      reported: new Set<string>(),
    }
    const round = restAfterRounds(() => runSolvencyRound(deps))
    return { round, intervalMs: config.localChain ? LOCAL_PACE_MS : PACE_MS }
  })
}

/** Checks the reserve, and records the supply even if that fails: it needs no node. */
export async function runSolvencyRound(deps: WatchDeps): Promise<void> {
  try {
    await watchSolvency(deps)
  } finally {
    await recordCreditSupply(deps)
  }
}

/**
 * Takes and stores one reserve snapshot. If it confirms a shortage of an earlier snapshot, withdrawals are paused. Only an
 * operator resumes them, and they are paused again while tokens are missing. Returns null if there is no new snapshot:
 * the database belongs to no chain yet, the node shows no newer slot or one in the future, or another watcher has stored one
 * meanwhile.
 */
export async function watchSolvency({
  db,
  chain,
  clock,
  log,
  coldWallets = [],
  reported = new Set(),
}: WatchDeps): Promise<ReserveSnapshot | null> {
  const boundChain = await readBoundChain(db)
  if (!boundChain) return null
  const from = performance.now()
  const last = await readSnapshot(db)
  const notBefore = last?.slot ?? 0n
  const at = { treasury: boundChain.treasury, cold: coldWallets, notBefore, now: clock.now() }
  const { impossible, fundedAhead: _fundedAhead, ...comparison } = await takeSnapshot({ db, chain }, at)
  for (const tokenAccount of impossible.filter((account) => !reported.has(account))) {
    reported.add(tokenAccount)
    log.error(
      { tokenAccount },
      'a receipt names an account that cannot exist; what it credits counts as missing',
    )
  }
  if (last && comparison.slot === last.slot) {
    log.warn({ slot: String(last.slot) }, 'reserve not checked: the node shows no new finalized slot')
    return null
  }
  const tookMs = Math.round(performance.now() - from)
  // The next snapshot must not be older than this one: no node would ever reach a slot that one has invented.
  if ((await isSlotReached(chain, comparison.slot - FURTHEST_AHEAD_SLOTS)) === false) {
    log.warn({ slot: String(comparison.slot) }, 'reserve not checked: the node shows a slot in the future')
    return null
  }
  // A round that reads histories, which measures it too, may take minutes.
  measure({ of: 'slot', slot: comparison.slot, at: clock.now() })
  return db.transaction(async (tx) => {
    const now = clock.now()
    const { free: _free, uncertain: _uncertain, ...stored } = comparison
    const snapshot: ReserveSnapshot = {
      ...stored,
      coldWallets,
      at: now,
      tookMs,
      ...assessShortage(comparison, { before: last, now }),
    }
    // A watcher that was paused, while another took over, goes on with what it had read. The snapshot of the other is newer,
    // and may have ended the shortage that this one would confirm.
    if (!(await storeSnapshot(tx, { snapshot, last }))) return null
    if (snapshot.confirmed) await raiseAlert(tx, log, { snapshot, before: last })
    else if (snapshot.shortSince)
      log.warn(figures(snapshot), 'reserve shortage detected; confirming with a second snapshot')
    else if (last?.confirmed)
      log.warn(
        figures(snapshot),
        'the reserve covers what is owed again; investigate, then resume withdrawals',
      )
    return snapshot
  })
}

/** Since when tokens are missing, and whether that is confirmed. One snapshot alone never confirms it. */
export function assessShortage(
  { surplus, uncertain }: Pick<ReserveComparison, 'surplus' | 'uncertain'>,
  { before, now }: { before: Pick<ReserveSnapshot, 'shortSince' | 'confirmed'> | null; now: Date },
): Pick<ReserveSnapshot, 'shortSince' | 'confirmed'> {
  if (surplus >= 0n) return { shortSince: null, confirmed: false }
  if (!before?.shortSince) return { shortSince: now, confirmed: false }
  const { shortSince } = before
  // An invalid date counts as a long shortage, and so does a later one, of a clock that was set back since.
  const lasted = !(Math.abs(now.getTime() - shortSince.getTime()) < LONGEST_LAG_MS)
  return { shortSince, confirmed: before.confirmed || lasted || -surplus > uncertain }
}

// Players read this text. It is constant, so that it is added only once to the reasons of a pause.
const MISSING = 'There are fewer tokens than the game owes.'

async function raiseAlert(
  tx: Tx,
  log: Log,
  { snapshot, before }: { snapshot: ReserveSnapshot; before: ReserveSnapshot | null },
): Promise<void> {
  const paused = await readPause(tx)
  const isPaused = paused?.why.includes(MISSING) === true
  if (isPaused && before?.confirmed) return
  log.error(figures(snapshot), 'TOKENS MISSING: withdrawals are paused until an operator resumes them')
  if (!isPaused) await pauseWithdrawals(tx, { why: MISSING, now: snapshot.at })
}

const figures = ({
  slot,
  surplus,
  treasury,
  cold,
  depositAccounts,
  inFlight,
  creditedAhead,
}: ReserveSnapshot) => ({
  slot: String(slot),
  surplus: String(surplus),
  treasury: String(treasury),
  cold: String(cold),
  depositAccounts: String(depositAccounts),
  inFlight: String(inFlight),
  creditedAhead: String(creditedAhead),
})
