import type { Coverage } from './coverage.ts'
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

/** How often something is missing, all together. */
export const countMissing = (coverage: Coverage, options: Pick<Options, 'covered'>): number =>
  listShortfalls(coverage, options).reduce((total, { times }) => total + times, 0)

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
