import { ChainUnavailable } from '#server/chain/port.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { type Running, startRounds } from '#server/platform/run-rounds.ts'
import { connectOwnChain } from './connect-own-chain.ts'
import type { LookDeps } from './credit-deposits.ts'
import { findForeignTokens, type LastHeld, type OwnAddress } from './find-foreign-tokens.ts'

const LOCAL_PACE_MS = 5_000
const PACE_MS = 30_000

/** Nothing that is lost waits here, and nodes charge much for this question: a few addresses a round, in turns. */
const IN_A_ROUND = 10

const readTurn = sql(
  'foreign-read-turn',
  `select index, wallet, owner, token_account as "tokenAccount", assigned_slot as "assignedSlot" from deposit_addresses
   where wallet is not null and index > $1 order by index limit $2`,
)

/** Where the next round goes on, and what was seen so far. */
export type Turn = { after: number; lastHeld: LastHeld }

export const firstTurn = (): Turn => ({ after: -1, lastHeld: new Map() })

/** One look at the foreign accounts of some players' addresses. Rejects where no node answers; the turn comes again. */
export async function foreignRound(deps: LookDeps & { log: Log }, turn: Turn): Promise<void> {
  const addresses = await deps.db.rows<OwnAddress & { index: number }>(readTurn, [turn.after, IN_A_ROUND])
  for (const address of addresses) {
    try {
      await findForeignTokens(deps, address, turn.lastHeld)
    } catch (error) {
      if (error instanceof ChainUnavailable) throw error
      deps.log.error(
        { owner: address.owner, err: error },
        'the foreign accounts of an address could not be read',
      )
    }
    turn.after = address.index
  }
  if (addresses.length < IN_A_ROUND) turn.after = -1
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
