import { type Address, ChainUnavailable } from '#server/chain/port.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { type RunningRounds, startRounds } from '#server/platform/run-rounds.ts'
import { connectBoundChain, watcherChain } from './connect-bound-chain.ts'
import {
  recordForeignTokens,
  findUnrecorded,
  findUnrecordedAmong,
  type ForeignRounds,
  readKnownAccounts,
} from './foreign-tokens.ts'
import type { AssignedAddress } from './take-address.ts'
import { UnexplainedBalances } from './unexplained-balances.ts'
import type { WatchDeps } from './watch-deposits.ts'

const LOCAL_PACE_MS = 5_000
const PACE_MS = 30_000

/** How many known accounts are read per call and per round: ten thousand of them take five minutes. */
const AT_ONCE = 100
const KNOWN_IN_A_ROUND = 1_000

/** Dust sent to many accounts makes all their histories due. This limits how many are read per round. */
const MAX_HISTORIES_PER_ROUND = 20

/** Nothing found here is urgent, and nodes charge much for this call: a few owners per round, in rotation. */
const OWNERS_IN_A_ROUND = 10

const readOwners = sql({
  name: 'foreign-read-owners',
  params: { after: 'integer', limit: 'integer' },
  row: rowOf<AssignedAddress & { index: number }>(),
  text: ({ after, limit }) =>
    `select index, wallet, owner, token_account as "tokenAccount", assigned_slot as "assignedSlot" from deposit_addresses
     where wallet is not null and index > ${after} order by index limit ${limit}`,
})

/** The position of the next round among known accounts and among owners, and at which of them no node answered. */
export type ForeignProgress = ForeignRounds & {
  afterAccount: string
  after: number
  unanswered: Set<Address>
}

export const newForeignProgress = (): ForeignProgress => ({
  afterAccount: '',
  after: -1,
  round: 0,
  unexplained: new UnexplainedBalances(),
  unanswered: new Set(),
})

/**
 * One round over foreign accounts: many known ones, and all accounts of a few owners, among which there may be unknown
 * ones. Rejects if no node answers; the next round continues at the same position, and after a second failure behind it.
 */
export async function scanForeignAccounts(deps: WatchDeps, progress: ForeignProgress): Promise<void> {
  progress.round += 1
  await scanKnownAccounts(deps, progress)
  await scanOwners(deps, progress)
}

async function scanKnownAccounts(deps: WatchDeps, progress: ForeignProgress): Promise<void> {
  const known = await readKnownAccounts(deps.db, { after: progress.afterAccount, limit: KNOWN_IN_A_ROUND })
  let historiesRead = 0
  for (let from = 0; from < known.length; from += AT_ONCE) {
    const page = known.slice(from, from + AT_ONCE)
    const found = await findUnrecordedAmong(deps.chain, page, progress)
    for (const [at, each] of page.entries()) {
      const unrecorded = found[at]
      if (unrecorded && historiesRead++ === MAX_HISTORIES_PER_ROUND) return
      const goOn = () => void (progress.afterAccount = each.account)
      if (unrecorded)
        await readOrSkip(deps, progress, {
          address: each.account,
          owner: each.owner,
          read: () => recordForeignTokens(deps, each, unrecorded, progress),
          goOn,
        })
      else goOn()
    }
  }
  if (known.length < KNOWN_IN_A_ROUND) progress.afterAccount = ''
}

async function scanOwners(deps: WatchDeps, progress: ForeignProgress): Promise<void> {
  const addresses = await deps.db.rows(readOwners, { after: progress.after, limit: OWNERS_IN_A_ROUND })
  for (const address of addresses) {
    await readOrSkip(deps, progress, {
      address: address.owner,
      owner: address.owner,
      async read() {
        for (const unrecorded of await findUnrecorded(deps, address, progress))
          await recordForeignTokens(deps, address, unrecorded, progress)
      },
      goOn: () => void (progress.after = address.index),
    })
  }
  if (addresses.length < OWNERS_IN_A_ROUND) progress.after = -1
}

type Reading = { address: Address; owner: Address; read(): Promise<void>; goOn(): void }

/**
 * Logs a failure, so that an address that cannot be read does not delay the others. While no node answers, the round ends and
 * the next one tries the same address again. Anybody can give an owner more accounts than a node lists in time, so after a
 * second failure the rounds go on behind it until its next turn.
 */
async function readOrSkip(
  { log }: WatchDeps,
  { unanswered }: ForeignProgress,
  { address, owner, read, goOn }: Reading,
): Promise<void> {
  const isSecondTry = unanswered.delete(address)
  try {
    await read()
  } catch (error) {
    if (error instanceof ChainUnavailable) {
      if (isSecondTry) goOn()
      else unanswered.add(address)
      throw error
    }
    log.error({ owner, err: error }, 'failed to read the foreign accounts of a deposit address')
  }
  goOn()
}

/** Records tokens that reached a player's address and are not $COTTON in its associated token account. */
export function startForeignWatch(config: Config, log: Log): Promise<RunningRounds> {
  const settings = { url: config.databaseUrl, max: 1, applicationName: 'foreign-accounts', log }
  return startRounds(settings, async (db) => {
    const chain = await connectBoundChain(watcherChain(config), db)
    const deps = { db, chain, clock: systemClock, log, largeFrom: config.largeDeposit }
    const progress = newForeignProgress()
    return {
      round: () => scanForeignAccounts(deps, progress),
      intervalMs: config.localChain ? LOCAL_PACE_MS : PACE_MS,
    }
  })
}
