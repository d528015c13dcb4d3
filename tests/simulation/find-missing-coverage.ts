import { Coverage } from './coverage.ts'
import { findEmptyCells } from './coverage-table.ts'
import { FAULTS } from './fault-profile.ts'
import { FORGERIES } from './forge-acts.ts'
import { OPERATOR_ACTIONS } from './operators.ts'
import type { Options } from './options.ts'
import { PLAYER_ACTIONS } from './players.ts'
import type { TransferKind } from './test-transfers.ts'

/** The results that must have occurred, besides a deposit of each kind. */
const END_STATES = [
  'withdrawal finalized',
  'withdrawal refunded',
  'withdrawal paid after approvals',
  'withdrawal rejected',
  'receipt unclaimed sol',
  'receipt unclaimed other_token',
  'receipt dropped cotton',
  'sweep finalized',
  'claims of a player',
  'world from a backup',
]

/** The kinds of transactions that are credited if they succeed. */
const CREDITED_KINDS: readonly TransferKind[] = [
  'plain transfer',
  'transfer to the open account',
  'two transfers in one',
]

/** The required number of different calls at which a process died. */
const MIN_CRASH_POINTS = 100

/** The required number of payouts that were signed while there were faults. With fewer, no fault happens to a payout. */
const MIN_PAYOUTS = 15

/** Something that happened too seldom, and how many times are missing. */
type Shortfall = { what: string; times: number }

/**
 * A run without violations is only meaningful if it had every kind of fault, every action of players and operators, every
 * forgery, every result, payouts under faults, and crashes at many points, and with `covered` every fault in every state. Returns what is missing.
 */
export const findMissingCoverage = (coverage: Coverage, options: Pick<Options, 'covered'>): string[] =>
  listShortfalls(coverage, options).map(({ what }) => what)

/** The seeds of a few worlds that together met what all of these did: the next one is always that which adds most. */
export function chooseSeeds(worlds: readonly { seed: number; counts: Coverage['counts'] }[]): number[] {
  const chosen = new Coverage()
  const countMissing = (coverage: Coverage): number =>
    listShortfalls(coverage, { covered: false }).reduce((total, { times }) => total + times, 0)
  const countWith = ({ counts }: (typeof worlds)[number]): number => {
    const coverage = new Coverage()
    coverage.add(chosen.counts)
    coverage.add(counts)
    return countMissing(coverage)
  }
  const left = new Set(worlds)
  while (countMissing(chosen) > 0 && left.size > 0) {
    const counted = [...left].map((world) => ({ world, missing: countWith(world) }))
    const { world } = counted.toSorted((a, b) => a.missing - b.missing)[0]!
    chosen.add(world.counts)
    left.delete(world)
  }
  return worlds.filter((world) => !left.has(world)).map(({ seed }) => seed)
}

function listShortfalls(coverage: Coverage, { covered }: Pick<Options, 'covered'>): Shortfall[] {
  const wanted = [
    ...[...PLAYER_ACTIONS, ...OPERATOR_ACTIONS].map(({ value }) => `action: ${value}`),
    ...FAULTS.map((fault) => `fault: ${fault}`),
    ...FORGERIES.map((kind) => `forged: ${kind}`),
    ...END_STATES.map((end) => `done: ${end}`),
    ...['deposit in the game', ...CREDITED_KINDS].map((kind) => `done: credited ${kind}`),
  ]
  const payouts = coverage.countOf('signed under faults')
  const points = coverage.countsUnder('crash').size
  const never = [
    ...wanted.filter((what) => coverage.countOf(what) === 0),
    ...(covered ? findEmptyCells(coverage) : []),
  ]
  return [
    ...never.map((what) => ({ what, times: 1 })),
    {
      what: `${MIN_PAYOUTS} payouts signed under faults: there were ${payouts}`,
      times: MIN_PAYOUTS - payouts,
    },
    {
      what: `crashes at ${MIN_CRASH_POINTS} points: there were ${points}`,
      times: MIN_CRASH_POINTS - points,
    },
  ].filter(({ times }) => times > 0)
}
