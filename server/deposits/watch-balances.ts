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

/** Every address is compared once in this many rounds, unless that needs more than this many groups in one round. */
const ROUNDS_IN_A_PASS = 6
const MAX_GROUPS_PER_ROUND = 50

/** How many histories are read per round because a balance differs; of them, how many of active addresses. */
const MAX_MISMATCHES_PER_ROUND = 100
const MAX_ACTIVE_MISMATCHES_PER_ROUND = 50

/** The position of the next round among all addresses, and the balances that stay unexplained. */
export type BalanceProgress = {
  after: number
  /** How many addresses this pass has compared so far, and how many the last pass did; null in the first pass. */
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
  /** The number of the round. */
  number: number
  finalSlot: bigint
  stopping: AbortSignal
}

/**
 * The addresses that do not hold the expected balance: among the active ones, and among this round's share of all.
 * Rejects with `ChainUnavailable`.
 */
export async function readMismatches(
  { db, chain }: { db: Db; chain: Chain },
  { active, progress, number, finalSlot, stopping }: Reading,
): Promise<BalanceMismatch[]> {
  const found: BalanceMismatch[] = []
  /** Returns the first mismatch that exceeds the limit of this round, if any. */
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

/** So many that a pass takes ROUNDS_IN_A_PASS. The first pass after a start runs at the maximum. */
function countGroupsPerRound({ passedBefore }: BalanceProgress): number {
  if (passedBefore === null) return MAX_GROUPS_PER_ROUND
  return Math.max(1, Math.min(MAX_GROUPS_PER_ROUND, Math.ceil(passedBefore / GROUP_SIZE / ROUNDS_IN_A_PASS)))
}
