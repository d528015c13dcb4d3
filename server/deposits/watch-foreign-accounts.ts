import { ChainUnavailable } from '#server/chain/port.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { type RunningRounds, startRounds } from '#server/platform/run-rounds.ts'
import { connectBoundChain } from './connect-bound-chain.ts'
import type { ScanDeps } from './credit-deposits.ts'
import {
  recordForeignTokens,
  findUnrecorded,
  findUnrecordedAmong,
  type LastBalances,
  type AssignedAddress,
  readKnownAccounts,
} from './foreign-tokens.ts'

const LOCAL_PACE_MS = 5_000
const PACE_MS = 30_000

/** So many accounts are read in one question, and so many in a round: ten thousand of them in five minutes. */
const AT_ONCE = 100
const KNOWN_IN_A_ROUND = 1_000

/** Whoever sends dust to many accounts makes their histories worth reading: so many in a round. */
const MAX_HISTORIES_PER_ROUND = 20

/** Nothing that is lost waits here, and nodes charge much for this question: a few owners a round, in turns. */
const OWNERS_IN_A_ROUND = 10

const readOwners = sql(
  'foreign-read-owners',
  `select index, wallet, owner, token_account as "tokenAccount", assigned_slot as "assignedSlot" from deposit_addresses
   where wallet is not null and index > $1 order by index limit $2`,
)

/** Where the next round goes on among known accounts and among owners, and what was seen so far. */
export type ForeignProgress = { afterAccount: string; after: number; lastBalances: LastBalances }

export const newForeignProgress = (): ForeignProgress => ({
  afterAccount: '',
  after: -1,
  lastBalances: new Map(),
})

type WatchDeps = ScanDeps & { log: Log }

/**
 * One look at foreign accounts: at many of those that tokens came to before, and at all accounts of a few owners, where
 * one may be that nobody has named. Rejects where no node answers; the turn comes again.
 */
export async function scanForeignAccounts(deps: WatchDeps, progress: ForeignProgress): Promise<void> {
  await scanKnownAccounts(deps, progress)
  await scanOwners(deps, progress)
}

async function scanKnownAccounts(deps: WatchDeps, progress: ForeignProgress): Promise<void> {
  const known = await readKnownAccounts(deps.db, { after: progress.afterAccount, limit: KNOWN_IN_A_ROUND })
  let historiesRead = 0
  for (let from = 0; from < known.length; from += AT_ONCE) {
    const page = known.slice(from, from + AT_ONCE)
    const found = await findUnrecordedAmong(deps.chain, page, progress.lastBalances)
    for (const [at, each] of page.entries()) {
      const unrecorded = found[at]
      if (unrecorded && historiesRead++ === MAX_HISTORIES_PER_ROUND) return
      if (unrecorded)
        await logFailure(deps, each, () =>
          recordForeignTokens(deps, each, { unrecorded, lastBalances: progress.lastBalances }),
        )
      progress.afterAccount = each.account
    }
  }
  if (known.length < KNOWN_IN_A_ROUND) progress.afterAccount = ''
}

async function scanOwners(deps: WatchDeps, progress: ForeignProgress): Promise<void> {
  const { lastBalances } = progress
  const addresses = await deps.db.rows<AssignedAddress & { index: number }>(readOwners, [
    progress.after,
    OWNERS_IN_A_ROUND,
  ])
  for (const address of addresses) {
    await logFailure(deps, address, async () => {
      for (const unrecorded of await findUnrecorded(deps, address, lastBalances))
        await recordForeignTokens(deps, address, { unrecorded, lastBalances })
    })
    progress.after = address.index
  }
  if (addresses.length < OWNERS_IN_A_ROUND) progress.after = -1
}

/** An address of which something cannot be read does not keep the others back. */
async function logFailure(
  { log }: WatchDeps,
  { owner }: AssignedAddress,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ChainUnavailable) throw error
    log.error({ owner, err: error }, 'the foreign accounts of an address could not be read')
  }
}

/** Looks for tokens that reached a player's address and are not $COTTON at the derived account. */
export function startForeignWatch(config: Config, log: Log): Promise<RunningRounds> {
  const settings = { url: config.databaseUrl, max: 1, applicationName: 'foreign-accounts', log }
  return startRounds(settings, async (db) => {
    const chain = await connectBoundChain(config, db)
    const deps = { db, chain, clock: systemClock, log, largeFrom: config.largeDeposit }
    const progress = newForeignProgress()
    return {
      round: () => scanForeignAccounts(deps, progress),
      intervalMs: config.localChain ? LOCAL_PACE_MS : PACE_MS,
    }
  })
}
