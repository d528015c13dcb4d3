import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { isOutOfReach } from '#server/platform/out-of-reach.ts'
import { type Running, startRounds } from '#server/platform/run-rounds.ts'
import { connectOwnChain } from './connect-own-chain.ts'
import { creditDeposits, type LookDeps, type Looking } from './credit-deposits.ts'
import type { DepositAddress } from './take-address.ts'
import { readFreeAddresses, watchFreeAddress } from './watch-free-addresses.ts'

const LOCAL_PACE_MS = 1_000
const PACE_MS = 5_000

/** An address where something happened this recently is looked at in every round. */
const LIVELY_MS = 60 * 60_000

/** How many of the quiet addresses are looked at in a round, in turns. */
const QUIET_IN_A_ROUND = 20

/** The owner's history holds strays only, so it is read once in so many rounds. */
const ROUNDS_BETWEEN_STRAYS = 15

const AT_ONCE = 4

const readAddresses = sql(
  'watch-read-addresses',
  `select wallet, owner, token_account as "tokenAccount",
     assigned_at > $1 or exists (select from receipts r where r.wallet = a.wallet and r.seen_at > $1) as lively
   from deposit_addresses a where wallet is not null order by index`,
)

/** How many of the addresses that are nobody's are looked at beside the strays. */
const FREE_IN_A_ROUND = 20

/** So many addresses that fail one after the other mean that no node answers. */
const FAILURES_IN_A_ROW = 2 * AT_ONCE

export type WatchDeps = LookDeps & { log: Log }

/** One look at a share of all deposit addresses. One that fails does not keep the others back. */
export async function watchRound(
  { log, ...deps }: WatchDeps,
  { number, stopping }: { number: number; stopping: AbortSignal },
): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - LIVELY_MS)
  const all = await deps.db.rows<DepositAddress & { lively: boolean }>(readAddresses, [since])
  const quiet = all.filter((each) => !each.lively)
  const from = quiet.length === 0 ? 0 : (number * QUIET_IN_A_ROUND) % quiet.length
  const turn = [...quiet.slice(from), ...quiet.slice(0, from)].slice(0, QUIET_IN_A_ROUND)
  const strays = number % ROUNDS_BETWEEN_STRAYS === 0
  const looking: Looking = { sides: strays ? ['token_account', 'owner'] : ['token_account'] }
  const look = (address: DepositAddress): Look => ({
    owner: address.owner,
    async run() {
      const held = await creditDeposits(deps, address, looking)
      for (const each of held) log.error({ wallet: address.wallet, ...each }, HELD[each.why])
    },
  })
  const due = [...all.filter((each) => each.lively), ...turn].map(look)
  if (strays) {
    const free = { turn: number / ROUNDS_BETWEEN_STRAYS, atOnce: FREE_IN_A_ROUND }
    for (const address of await readFreeAddresses(deps.db, free)) {
      due.push({ owner: address.owner, run: () => watchFreeAddress(deps, address) })
    }
  }
  await lookAtAll(due, { log, stopping })
}

const HELD = {
  second_node: 'a large deposit waits until a second node shows it',
  nodes_disagree: 'the nodes show different amounts of one large deposit: it waits',
} as const

type Look = { owner: string; run(): Promise<void> }

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
    let number = 0
    return {
      round: (stopping) => watchRound(deps, { number: number++, stopping }),
      paceMs: config.localChain ? LOCAL_PACE_MS : PACE_MS,
    }
  })
}
