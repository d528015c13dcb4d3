import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { isOutOfReach } from '#server/platform/out-of-reach.ts'
import { type Running, startRounds } from '#server/platform/run-rounds.ts'
import { connectOwnChain } from './connect-own-chain.ts'
import { creditDeposits, type LookDeps, type Side } from './credit-deposits.ts'
import { readLivelyGroup, readWatchedGroup, type Watched } from './find-moved.ts'
import { LIVELY_MS } from './mark-lively.ts'
import type { DepositAddress } from './take-address.ts'
import { type BalanceTurn, firstBalanceTurn, readMoved } from './watch-balances.ts'
import { readFreeAddresses, watchFreeAddress } from './watch-free-addresses.ts'

const LOCAL_PACE_MS = 1_000
const PACE_MS = 5_000

/** At most so many pending deposits are looked at in a round. */
const PENDING_IN_A_ROUND = 50

/** What no balance shows is found by reading a few addresses in turns, both of their histories. */
const SLOW_IN_A_ROUND = 5

/** The owner's history holds strays only: where something happened lately it is read once in so many rounds. */
const ROUNDS_BETWEEN_STRAYS = 15
const STRAYS_IN_A_ROUND = 20

/** How many of the addresses that are nobody's are looked at beside the strays. */
const FREE_IN_A_ROUND = 20

const AT_ONCE = 4

const readPending = sql(
  'watch-read-pending',
  `select a.wallet, a.owner, a.token_account as "tokenAccount" from (
     select distinct wallet from receipts where state = 'pending' and wallet > $1 order by wallet limit $2
   ) p join deposit_addresses a on a.wallet = p.wallet order by a.wallet`,
)

/** So many addresses that fail one after the other mean that no node answers. */
const FAILURES_IN_A_ROW = 2 * AT_ONCE

export type WatchDeps = LookDeps & { log: Log }

/** Where the next round goes on. */
export type Turn = BalanceTurn & { number: number; slowAfter: number; pendingAfter: string }

export const firstTurn = (number = 0): Turn => ({
  ...firstBalanceTurn(),
  number,
  slowAfter: 0,
  pendingAfter: '',
})

/**
 * One round over a share of all deposit addresses. Balances, a hundred to a call, say which histories are worth reading;
 * how many calls that takes is bounded, however many addresses there are and whoever touches them. An address that fails
 * does not keep the others back. Rejects where no node answers.
 */
export async function watchRound(
  { log, ...deps }: WatchDeps,
  { turn, stopping }: { turn: Turn; stopping: AbortSignal },
): Promise<void> {
  const number = turn.number++
  const finalSlot = await deps.chain.slot('finalized')
  // Many addresses in one transaction: it is asked for once in the round.
  const reading = { ...deps, chain: { ...deps.chain, receipt: deps.chain.receiptsOnce() } }
  const due = new Map<string, Look>()
  const add = (address: DepositAddress, sides: Side[], done?: () => void): void => {
    const { owner, wallet } = address
    if (due.get(owner)?.sides.includes('owner')) return
    const run = async (): Promise<void> => {
      const held = await creditDeposits(reading, address, { sides, finalSlot })
      for (const each of held) log.error({ wallet, ...each }, HELD[each.why])
      done?.()
    }
    due.set(owner, { owner, sides, run })
  }

  const lively = await readLivelyGroup(deps.db, new Date(deps.clock.now().getTime() - LIVELY_MS))
  for (const address of await readPendingInTurn(deps.db, turn)) add(address, ['token_account'])
  for (const moved of await readMoved(deps, { lively, turn, number, finalSlot, stopping }))
    add(moved, ['token_account'], () => turn.unexplained.wasRead(moved, number))
  for (const address of await readSlowInTurn(deps.db, turn)) add(address, ['token_account', 'owner'])
  if (number % ROUNDS_BETWEEN_STRAYS === 0) {
    const strays = number / ROUNDS_BETWEEN_STRAYS
    for (const address of inTurn(lively, strays)) add(address, ['token_account', 'owner'])
    for (const address of await readFreeAddresses(deps.db, { turn: strays, atOnce: FREE_IN_A_ROUND })) {
      due.set(address.owner, {
        owner: address.owner,
        sides: [],
        run: () => watchFreeAddress(reading, address),
      })
    }
  }
  await lookAtAll([...due.values()], { log, stopping })
}

/** So many of the lively ones as have their turn. */
function inTurn(lively: readonly Watched[], strays: number): Watched[] {
  if (lively.length === 0) return []
  const from = (strays * STRAYS_IN_A_ROUND) % lively.length
  return [...lively.slice(from), ...lively.slice(0, from)].slice(0, STRAYS_IN_A_ROUND)
}

async function readPendingInTurn(db: Db, turn: Turn): Promise<DepositAddress[]> {
  const rows = await db.rows<DepositAddress>(readPending, [turn.pendingAfter, PENDING_IN_A_ROUND])
  turn.pendingAfter = rows.length < PENDING_IN_A_ROUND ? '' : rows.at(-1)!.wallet
  return rows
}

async function readSlowInTurn(db: Db, turn: Turn): Promise<DepositAddress[]> {
  const rows = await readWatchedGroup(db, { after: turn.slowAfter, limit: SLOW_IN_A_ROUND })
  turn.slowAfter = rows.length < SLOW_IN_A_ROUND ? 0 : rows.at(-1)!.index
  return rows
}

const HELD = {
  second_node: 'a large deposit waits until a second node shows it',
  nodes_disagree: 'the nodes show different amounts of one large deposit: it waits',
} as const

type Look = { owner: string; sides: readonly Side[]; run(): Promise<void> }

async function lookAtAll(due: Look[], { log, stopping }: { log: Log; stopping: AbortSignal }): Promise<void> {
  let inARow = 0
  let outOfReach: unknown
  const work = async (): Promise<void> => {
    for (let next = due.shift(); next && !stopping.aborted; next = due.shift()) {
      try {
        await next.run()
        inARow = 0
      } catch (error) {
        if (!isOutOfReach(error))
          log.error({ owner: next.owner, err: error }, 'a deposit address could not be read')
        else {
          inARow += 1
          outOfReach = error
          if (inARow < FAILURES_IN_A_ROW)
            log.warn(
              { owner: next.owner, reason: (error as Error).message },
              'no node tells of a deposit address',
            )
          else due.length = 0
        }
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (inARow > 0) throw outOfReach
}

/** The role `watcher`: credits what arrives, whether or not its player looks. */
export function startWatcher(config: Config, log: Log): Promise<Running> {
  const settings = { url: config.databaseUrl, max: AT_ONCE + 1, applicationName: 'watcher', log }
  return startRounds(settings, async (db) => {
    const chain = await connectOwnChain(config, db, log)
    const deps = { db, chain, clock: systemClock, log, largeFrom: config.largeDeposit }
    const turn = firstTurn()
    return {
      round: (stopping) => watchRound(deps, { turn, stopping }),
      paceMs: config.localChain ? LOCAL_PACE_MS : PACE_MS,
    }
  })
}
