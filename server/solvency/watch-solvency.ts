import type { Chain } from '#server/chain/port.ts'
import { connectBoundChain, readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { type RunningRounds, startRounds } from '#server/platform/run-rounds.ts'
import { pauseWithdrawals, readPause } from '#server/withdrawals/withdrawal-pause.ts'
import { storeSnapshot, type ReserveSnapshot, readSnapshot } from './reserve-snapshot.ts'
import { recordCreditSupply } from './record-credit-supply.ts'
import { takeSnapshot } from './take-snapshot.ts'
import type { ReserveComparison } from './compare-reserve.ts'

const LOCAL_PACE_MS = 2_000
const PACE_MS = 5_000

/** Between two looks lies at least so many times the time that one took: with many accounts they come more rarely. */
const REST_FACTOR = 4

/** A shortage no larger than the payouts on their way may be a node that lags, until it has lasted this long. */
const LONGEST_LAG_MS = 60_000

/** `coldWallets` hold tokens of the game too, and their keys are elsewhere. */
export type WatchDeps = { db: Db; chain: Chain; clock: Clock; log: Log; coldWallets?: readonly string[] }

/** The solvency watch of the role `watcher`. */
export function startSolvencyWatch(config: Config, log: Log): Promise<RunningRounds> {
  const settings = { url: config.databaseUrl, max: 2, applicationName: 'solvency', readsAll: true, log }
  return startRounds(settings, async (db) => {
    const deps = {
      db,
      chain: await connectBoundChain(config, db),
      clock: systemClock,
      log,
      coldWallets: config.coldWallets,
    }
    let restUntil = 0
    const round = async (): Promise<void> => {
      if (performance.now() < restUntil) return
      const from = performance.now()
      await watchSolvency(deps)
      await recordCreditSupply(deps)
      restUntil = performance.now() + REST_FACTOR * (performance.now() - from)
    }
    return { round, intervalMs: config.localChain ? LOCAL_PACE_MS : PACE_MS }
  })
}

/**
 * One look at the reserve, kept for everybody to see. Where tokens are missing in this look and in an earlier one,
 * withdrawals are paused; they stay so until an operator resumes them, and are paused again while the tokens are
 * missing. Gives null where there was nothing to see: the books belong to no chain yet, or the node shows no newer slot
 * than before.
 */
export async function watchSolvency({
  db,
  chain,
  clock,
  log,
  coldWallets = [],
}: WatchDeps): Promise<ReserveSnapshot | null> {
  const boundChain = await readBoundChain(db)
  if (!boundChain) return null
  const from = performance.now()
  const last = await readSnapshot(db)
  const notBefore = last?.slot ?? 0n
  const at = { treasury: boundChain.treasury, cold: coldWallets, notBefore, now: clock.now() }
  const comparison = await takeSnapshot({ db, chain }, at)
  if (last && comparison.slot === last.slot) {
    log.warn(
      { slot: String(last.slot) },
      'the chain shows no new final slot: the reserve cannot be looked at',
    )
    return null
  }
  const tookMs = Math.round(performance.now() - from)
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
    await storeSnapshot(tx, snapshot)
    if (snapshot.confirmed) await raiseAlarm({ tx, log }, snapshot, last)
    else if (snapshot.shortSince) log.warn(figures(snapshot), 'the reserve looks short: looking again')
    else if (last?.confirmed)
      log.warn(figures(snapshot), 'the reserve covers what is owed again: look, then resume')
    return snapshot
  })
}

/** Whether tokens are missing, since when, and whether that is certain: never by one look alone. */
export function assessShortage(
  { surplus, uncertain }: Pick<ReserveComparison, 'surplus' | 'uncertain'>,
  { before, now }: { before: Pick<ReserveSnapshot, 'shortSince' | 'confirmed'> | null; now: Date },
): Pick<ReserveSnapshot, 'shortSince' | 'confirmed'> {
  if (surplus >= 0n) return { shortSince: null, confirmed: false }
  if (!before?.shortSince) return { shortSince: now, confirmed: false }
  const { shortSince } = before
  // Where nobody can say how long, it has lasted.
  const lasted = !(now.getTime() - shortSince.getTime() < LONGEST_LAG_MS)
  return { shortSince, confirmed: before.confirmed || lasted || -surplus > uncertain }
}

// Players read it, and always the same words, so that they stand once among other reasons.
const MISSING = 'There are fewer tokens than the game owes.'

async function raiseAlarm(
  { tx, log }: { tx: Parameters<typeof readPause>[0]; log: Log },
  snapshot: ReserveSnapshot,
  before: ReserveSnapshot | null,
): Promise<void> {
  const paused = await readPause(tx)
  const isPaused = paused?.why.includes(MISSING) === true
  if (isPaused && before?.confirmed) return
  log.error(figures(snapshot), 'TOKENS ARE MISSING: withdrawals are paused until an operator resumes them')
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
