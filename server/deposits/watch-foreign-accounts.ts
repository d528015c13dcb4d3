import { ChainUnavailable } from '#server/chain/port.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { type Running, startRounds } from '#server/platform/run-rounds.ts'
import { connectOwnChain } from './connect-own-chain.ts'
import type { LookDeps } from './credit-deposits.ts'
import {
  explain,
  findFuller,
  findFullerAmong,
  type LastHeld,
  type OwnAddress,
  readKnownAccounts,
} from './find-foreign-tokens.ts'

const LOCAL_PACE_MS = 5_000
const PACE_MS = 30_000

/** So many accounts are read in one question, and so many in a round: ten thousand of them in five minutes. */
const AT_ONCE = 100
const KNOWN_IN_A_ROUND = 1_000

/** Whoever sends dust to many accounts makes their histories worth reading: so many in a round. */
const EXPLAINED_IN_A_ROUND = 20

/** Nothing that is lost waits here, and nodes charge much for this question: a few owners a round, in turns. */
const OWNERS_IN_A_ROUND = 10

const readTurn = sql(
  'foreign-read-turn',
  `select index, wallet, owner, token_account as "tokenAccount", assigned_slot as "assignedSlot" from deposit_addresses
   where wallet is not null and index > $1 order by index limit $2`,
)

/** Where the next round goes on among known accounts and among owners, and what was seen so far. */
export type Turn = { afterAccount: string; after: number; lastHeld: LastHeld }

export const firstTurn = (): Turn => ({ afterAccount: '', after: -1, lastHeld: new Map() })

type WatchDeps = LookDeps & { log: Log }

/**
 * One look at foreign accounts: at many of those that tokens came to before, and at all accounts of a few owners, where
 * one may be that nobody has named. Rejects where no node answers; the turn comes again.
 */
export async function foreignRound(deps: WatchDeps, turn: Turn): Promise<void> {
  await lookAtKnown(deps, turn)
  await lookAtOwners(deps, turn)
}

async function lookAtKnown(deps: WatchDeps, turn: Turn): Promise<void> {
  const known = await readKnownAccounts(deps.db, { after: turn.afterAccount, limit: KNOWN_IN_A_ROUND })
  let explained = 0
  for (let from = 0; from < known.length; from += AT_ONCE) {
    const page = known.slice(from, from + AT_ONCE)
    const found = await findFullerAmong(deps.chain, page, turn.lastHeld)
    for (const [at, each] of page.entries()) {
      const fuller = found[at]
      if (fuller && explained++ === EXPLAINED_IN_A_ROUND) return
      if (fuller)
        await tellingFailure(deps, each, () => explain(deps, each, { fuller, lastHeld: turn.lastHeld }))
      turn.afterAccount = each.account
    }
  }
  if (known.length < KNOWN_IN_A_ROUND) turn.afterAccount = ''
}

async function lookAtOwners(deps: WatchDeps, turn: Turn): Promise<void> {
  const { lastHeld } = turn
  const addresses = await deps.db.rows<OwnAddress & { index: number }>(readTurn, [
    turn.after,
    OWNERS_IN_A_ROUND,
  ])
  for (const address of addresses) {
    await tellingFailure(deps, address, async () => {
      for (const fuller of await findFuller(deps, address, lastHeld))
        await explain(deps, address, { fuller, lastHeld })
    })
    turn.after = address.index
  }
  if (addresses.length < OWNERS_IN_A_ROUND) turn.after = -1
}

/** An address of which something cannot be read does not keep the others back. */
async function tellingFailure(
  { log }: WatchDeps,
  { owner }: OwnAddress,
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
export function startForeignWatch(config: Config, log: Log): Promise<Running> {
  const settings = { url: config.databaseUrl, max: 1, applicationName: 'foreign-accounts', log }
  return startRounds(settings, async (db) => {
    const chain = await connectOwnChain(config, db)
    const deps = { db, chain, clock: systemClock, log, largeFrom: config.largeDeposit }
    const turn = firstTurn()
    return {
      round: () => foreignRound(deps, turn),
      paceMs: config.localChain ? LOCAL_PACE_MS : PACE_MS,
    }
  })
}
