import type { Chain } from '#server/chain/port.ts'
import { connectOwnChain, readOwnChain } from '#server/deposits/connect-own-chain.ts'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { type Running, startRounds } from '#server/platform/run-rounds.ts'
import { pauseWithdrawals, readPause } from '#server/withdrawals/withdrawal-switch.ts'
import { keepLook, type Look, readLook } from './keep-look.ts'
import { keepSupply } from './keep-supply.ts'
import { lookAtReserve } from './look-at-reserve.ts'
import type { Weighed } from './weigh-reserve.ts'

const LOCAL_PACE_MS = 2_000
const PACE_MS = 5_000

/** Between two looks lies at least so many times the time that one took: with many accounts they come more rarely. */
const REST = 4

/** A shortage no larger than the payouts on their way may be a node that lags, until it has lasted this long. */
const LONGEST_LAG_MS = 60_000

/** `coldWallets` hold tokens of the game too, and their keys are elsewhere. */
export type WatchDeps = { db: Db; chain: Chain; clock: Clock; log: Log; coldWallets?: readonly string[] }

/** The solvency watch of the role `watcher`. */
export function startSolvencyWatch(config: Config, log: Log): Promise<Running> {
  const settings = { url: config.databaseUrl, max: 2, applicationName: 'solvency', readsAll: true, log }
  return startRounds(settings, async (db) => {
    const deps = {
      db,
      chain: await connectOwnChain(config, db),
      clock: systemClock,
      log,
      coldWallets: config.coldWallets,
    }
    let restUntil = 0
    const round = async (): Promise<void> => {
      if (performance.now() < restUntil) return
      const from = performance.now()
      await watchSolvency(deps)
      await keepSupply(deps)
      restUntil = performance.now() + REST * (performance.now() - from)
    }
    return { round, paceMs: config.localChain ? LOCAL_PACE_MS : PACE_MS }
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
}: WatchDeps): Promise<Look | null> {
  const own = await readOwnChain(db)
  if (!own) return null
  const from = performance.now()
  const last = await readLook(db)
  const notBefore = last?.slot ?? 0n
  const at = { treasury: own.treasury, cold: coldWallets, notBefore, now: clock.now() }
  const weighed = await lookAtReserve({ db, chain }, at)
  if (last && weighed.slot === last.slot) {
    log.warn(
      { slot: String(last.slot) },
      'the chain shows no new final slot: the reserve cannot be looked at',
    )
    return null
  }
  const tookMs = Math.round(performance.now() - from)
  return db.transaction(async (tx) => {
    const now = clock.now()
    const { free: _free, doubt: _doubt, ...kept } = weighed
    const look: Look = { ...kept, coldWallets, at: now, tookMs, ...judged(weighed, { before: last, now }) }
    await keepLook(tx, look)
    if (look.confirmed) await raiseAlarm({ tx, log }, look, last)
    else if (look.shortSince) log.warn(figures(look), 'the reserve looks short: looking again')
    else if (last?.confirmed)
      log.warn(figures(look), 'the reserve covers what is owed again: look, then resume')
    return look
  })
}

/** Whether tokens are missing, since when, and whether that is certain: never by one look alone. */
export function judged(
  { surplus, doubt }: Pick<Weighed, 'surplus' | 'doubt'>,
  { before, now }: { before: Pick<Look, 'shortSince' | 'confirmed'> | null; now: Date },
): Pick<Look, 'shortSince' | 'confirmed'> {
  if (surplus >= 0n) return { shortSince: null, confirmed: false }
  if (!before?.shortSince) return { shortSince: now, confirmed: false }
  const { shortSince } = before
  // Where nobody can say how long, it has lasted.
  const lasted = !(now.getTime() - shortSince.getTime() < LONGEST_LAG_MS)
  return { shortSince, confirmed: before.confirmed || lasted || -surplus > doubt }
}

// Players read it, and always the same words, so that they stand once among other reasons.
const MISSING = 'There are fewer tokens than the game owes.'

async function raiseAlarm(
  { tx, log }: { tx: Parameters<typeof readPause>[0]; log: Log },
  look: Look,
  before: Look | null,
): Promise<void> {
  const paused = await readPause(tx)
  const isPaused = paused?.why.includes(MISSING) === true
  if (isPaused && before?.confirmed) return
  log.error(figures(look), 'TOKENS ARE MISSING: withdrawals are paused until an operator resumes them')
  if (!isPaused) await pauseWithdrawals(tx, { why: MISSING, now: look.at })
}

const figures = ({ slot, surplus, treasury, cold, depositAccounts, inFlight, creditedAhead }: Look) => ({
  slot: String(slot),
  surplus: String(surplus),
  treasury: String(treasury),
  cold: String(cold),
  depositAccounts: String(depositAccounts),
  inFlight: String(inFlight),
  creditedAhead: String(creditedAhead),
})
