import type { Chain } from '#server/chain/port.ts'
import type { Db } from '#server/platform/db/db.ts'
import {
  findMismatches,
  GROUP_SIZE,
  type BalanceMismatch,
  readWatchedGroup,
  type WatchedAddress,
} from './find-mismatches.ts'
import { UnexplainedBalances } from './unexplained-balances.ts'

/** Every address is asked for once in so many rounds, as long as that takes no more than so many groups in one. */
const ROUNDS_IN_A_PASS = 6
const MAX_GROUPS_PER_ROUND = 50

/** Where a balance moved a history is read: so many in a round, of them so many among the lively addresses. */
const MAX_MISMATCHES_PER_ROUND = 100
const MAX_ACTIVE_MISMATCHES_PER_ROUND = 50

/** Where the next round goes on among all addresses, and which balances are known to stay unexplained. */
export type BalanceProgress = {
  after: number
  /** The addresses asked for in this pass so far, and in all of the one before it; null in the first pass. */
  passed: number
  passedBefore: number | null
  unexplained: UnexplainedBalances
}

export const newBalanceProgress = (): BalanceProgress => ({
  after: 0,
  passed: 0,
  passedBefore: null,
  unexplained: new UnexplainedBalances(),
})

type Reading = {
  active: readonly WatchedAddress[]
  progress: BalanceProgress
  /** Of the round. */
  number: number
  finalSlot: bigint
  stopping: AbortSignal
}

/**
 * The addresses whose balance is another than the books say: among the lively ones, and among this round's share of all.
 * Rejects with `ChainUnavailable`.
 */
export async function readMismatches(
  { db, chain }: { db: Db; chain: Chain },
  { active, progress, number, finalSlot, stopping }: Reading,
): Promise<BalanceMismatch[]> {
  const found: BalanceMismatch[] = []
  /** Gives the first one for which there is no room in this round. */
  const addMismatches = async (
    group: readonly WatchedAddress[],
    limit: number,
  ): Promise<BalanceMismatch | null> => {
    const mismatches = await findMismatches(chain, group, { notBefore: finalSlot })
    const differ = new Set(mismatches.map((each) => each.tokenAccount))
    const booked = group.map((each) => each.tokenAccount).filter((account) => !differ.has(account))
    progress.unexplained.markExplained(booked)
    for (const each of mismatches.filter((one) => progress.unexplained.isDue(one, number))) {
      if (found.length >= limit) return each
      found.push(each)
    }
    return null
  }
  await addMismatches(active, MAX_ACTIVE_MISMATCHES_PER_ROUND)
  const groups = countGroupsPerRound(progress)
  for (let at = 0; at < groups && !stopping.aborted; at++) {
    const group = await readWatchedGroup(db, { after: progress.after })
    const next = await addMismatches(group, MAX_MISMATCHES_PER_ROUND)
    if (next) {
      progress.after = next.index - 1
      return found
    }
    progress.passed += group.length
    if (group.length < GROUP_SIZE) {
      Object.assign(progress, { after: 0, passed: 0, passedBefore: progress.passed })
      return found
    }
    progress.after = group.at(-1)!.index
  }
  return found
}

/** As many as let a pass take its rounds. The first one, after a start, goes as quickly as it may. */
function countGroupsPerRound({ passedBefore }: BalanceProgress): number {
  if (passedBefore === null) return MAX_GROUPS_PER_ROUND
  return Math.max(1, Math.min(MAX_GROUPS_PER_ROUND, Math.ceil(passedBefore / GROUP_SIZE / ROUNDS_IN_A_PASS)))
}
