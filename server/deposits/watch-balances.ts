import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from '#server/chain/port.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import {
  ACCOUNTS_IN_A_CALL,
  type BalanceMismatch,
  findMismatches,
  readWatchedGroup,
  type WatchedAddress,
} from './find-mismatches.ts'
import { UnexplainedBalances } from './unexplained-balances.ts'

/** How many calls wait for an answer at once: enough for 30 calls a second with answers that take half a second. */
const CALLS_AT_ONCE = 16

/** How many addresses are read from the database at once. */
const ADDRESSES_IN_A_READ = 10 * ACCOUNTS_IN_A_CALL

/** While this many addresses wait for their histories to be read, no more are compared. */
const MAX_FOUND = 1_000
const POLL_MS = 100

/** How many histories of active addresses are read per round because a balance differs. */
const MAX_ACTIVE_MISMATCHES_PER_ROUND = 50

/** What the comparison of all addresses and the rounds that read histories share. Its size is bounded. */
export type BalanceProgress = {
  /** The number of the next round that reads histories. */
  number: number
  /** Every address up to this index has been compared in this pass. */
  comparedTo: number
  /** Addresses whose histories are due, by token account, the oldest first. */
  found: Map<string, BalanceMismatch>
  unexplained: UnexplainedBalances
  /**
   * Since when the histories of these token accounts cannot be read in full, or explain less than they hold, the oldest first.
   * Their balances differ.
   */
  unread: Map<string, Date>
}

export const newBalanceProgress = (number: number): BalanceProgress => ({
  number,
  comparedTo: 0,
  found: new Map(),
  unexplained: new UnexplainedBalances(),
  unread: new Map(),
})

/** Records that the history of a token account could not be read. True if the last time it could not be read either. */
export function markUnread({ unread }: BalanceProgress, tokenAccount: string, now: Date): boolean {
  if (unread.has(tokenAccount)) return true
  if (unread.size < MAX_FOUND) unread.set(tokenAccount, now)
  return false
}

/** How long one of these histories cannot be read; 0 if all can. */
export function ageOfUnread({ unread }: BalanceProgress, clock: Clock): number {
  const [since] = unread.values()
  return since === undefined ? 0 : Math.max(0, clock.now().getTime() - since.getTime())
}

type Comparing = { progress: BalanceProgress; stopping: AbortSignal }

/**
 * One pass over all assigned addresses, a hundred per call. Adds those that do not hold the expected balance to
 * `progress.found`. After a failure, the next pass continues at the first address that was not compared. An address that is
 * assigned meanwhile is compared in this pass or in the next. Rejects with `ChainUnavailable`.
 */
export async function compareAllBalances(
  { db, chain }: { db: Db; chain: Pick<Chain, 'slot' | 'tokenBalances'> },
  { progress, stopping }: Comparing,
): Promise<void> {
  const notBefore = await chain.slot('finalized')
  const failed = new AbortController()
  const signal = AbortSignal.any([stopping, failed.signal])
  const pages = readPages(db, progress.comparedTo)
  const open = new Set<number>()
  let readTo = progress.comparedTo
  const work = async (): Promise<void> => {
    for (;;) {
      await waitForCapacity(progress, signal)
      const { value: page } = await pages.next()
      if (!page || signal.aborted) return
      open.add(page.after)
      readTo = page.last
      const mismatches = await findMismatches(chain, page.addresses, { notBefore })
      for (const each of selectDue(mismatches, page.addresses, progress))
        progress.found.set(each.tokenAccount, each)
      open.delete(page.after)
      // Later pages may be done before earlier ones.
      progress.comparedTo = Math.min(readTo, ...open)
    }
  }
  const stopOthers = (error: unknown): never => {
    failed.abort()
    throw error
  }
  const ended = await Promise.allSettled(
    Array.from({ length: CALLS_AT_ONCE }, () => work().catch(stopOthers)),
  )
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  if (!signal.aborted) progress.comparedTo = 0
}

type Page = { after: number; last: number; addresses: readonly WatchedAddress[] }

/** All assigned addresses after an index in pages of one call each, only the last of which is smaller. */
async function* readPages(db: Db, from: number): AsyncGenerator<Page, undefined> {
  let after = from
  for (;;) {
    const read = await readWatchedGroup(db, { after, limit: ADDRESSES_IN_A_READ })
    for (let at = 0; at < read.length; at += ACCOUNTS_IN_A_CALL) {
      const addresses = read.slice(at, at + ACCOUNTS_IN_A_CALL)
      const last = addresses.at(-1)!.index
      yield { after, last, addresses }
      after = last
    }
    if (read.length < ADDRESSES_IN_A_READ) return undefined
  }
}

async function waitForCapacity({ found }: BalanceProgress, signal: AbortSignal): Promise<void> {
  while (found.size >= MAX_FOUND && !signal.aborted)
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
}

/** The active addresses that do not hold the expected balance. Rejects with `ChainUnavailable`. */
export async function readActiveMismatches(
  chain: Chain,
  { active, progress, finalSlot }: ActiveReading,
): Promise<BalanceMismatch[]> {
  const mismatches = await findMismatches(chain, active, { notBefore: finalSlot })
  return selectDue(mismatches, active, progress).slice(0, MAX_ACTIVE_MISMATCHES_PER_ROUND)
}

type ActiveReading = {
  active: readonly WatchedAddress[]
  progress: BalanceProgress
  finalSlot: bigint
}

/** The mismatches among these addresses whose histories are due. The others hold what is expected. */
function selectDue(
  mismatches: readonly BalanceMismatch[],
  among: readonly WatchedAddress[],
  { unexplained, unread, number }: BalanceProgress,
): BalanceMismatch[] {
  const differ = new Set(mismatches.map((each) => each.tokenAccount))
  const expected = among.map((each) => each.tokenAccount).filter((account) => !differ.has(account))
  unexplained.markExplained(expected)
  for (const account of expected) unread.delete(account)
  return mismatches.filter((each) => unexplained.isDue(each, number))
}
