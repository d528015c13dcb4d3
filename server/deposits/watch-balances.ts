import type { Chain } from '#server/chain/port.ts'
import type { Db } from '#server/platform/db/db.ts'
import { findMoved, GROUP, type Moved, readWatchedGroup, type Watched } from './find-moved.ts'
import { Unexplained } from './unexplained.ts'

/** Every address is asked for once in so many rounds, as long as that takes no more than so many groups in one. */
const ROUNDS_IN_A_PASS = 6
const MOST_GROUPS_IN_A_ROUND = 50

/** Where a balance moved a history is read: so many in a round, of them so many among the lively addresses. */
const MOVED_IN_A_ROUND = 100
const LIVELY_MOVED_IN_A_ROUND = 50

/** Where the next round goes on among all addresses, and which balances are known to stay unexplained. */
export type BalanceTurn = {
  after: number
  /** The addresses asked for in this pass so far, and in all of the one before it; null in the first pass. */
  passed: number
  passedBefore: number | null
  unexplained: Unexplained
}

export const firstBalanceTurn = (): BalanceTurn => ({
  after: 0,
  passed: 0,
  passedBefore: null,
  unexplained: new Unexplained(),
})

type Reading = {
  lively: readonly Watched[]
  turn: BalanceTurn
  /** Of the round. */
  number: number
  finalSlot: bigint
  stopping: AbortSignal
}

/**
 * The addresses whose balance is another than the books say: among the lively ones, and among this round's share of all.
 * Rejects with `ChainUnavailable`.
 */
export async function readMoved(
  { db, chain }: { db: Db; chain: Chain },
  { lively, turn, number, finalSlot, stopping }: Reading,
): Promise<Moved[]> {
  const found: Moved[] = []
  /** Gives the first one for which there is no room in this round. */
  const take = async (group: readonly Watched[], most: number): Promise<Moved | null> => {
    const moved = await findMoved(chain, group, { notBefore: finalSlot })
    const differ = new Set(moved.map((each) => each.tokenAccount))
    const booked = group.map((each) => each.tokenAccount).filter((account) => !differ.has(account))
    turn.unexplained.explained(booked)
    for (const each of moved.filter((one) => turn.unexplained.isDue(one, number))) {
      if (found.length >= most) return each
      found.push(each)
    }
    return null
  }
  await take(lively, LIVELY_MOVED_IN_A_ROUND)
  const groups = groupsInARound(turn)
  for (let at = 0; at < groups && !stopping.aborted; at++) {
    const group = await readWatchedGroup(db, { after: turn.after })
    const next = await take(group, MOVED_IN_A_ROUND)
    if (next) {
      turn.after = next.index - 1
      return found
    }
    turn.passed += group.length
    if (group.length < GROUP) {
      Object.assign(turn, { after: 0, passed: 0, passedBefore: turn.passed })
      return found
    }
    turn.after = group.at(-1)!.index
  }
  return found
}

/** As many as let a pass take its rounds. The first one, after a start, goes as quickly as it may. */
function groupsInARound({ passedBefore }: BalanceTurn): number {
  if (passedBefore === null) return MOST_GROUPS_IN_A_ROUND
  return Math.max(1, Math.min(MOST_GROUPS_IN_A_ROUND, Math.ceil(passedBefore / GROUP / ROUNDS_IN_A_PASS)))
}
