import type { Coverage } from './coverage.ts'
import { FAULTS } from './fault-profile.ts'
import { PLAYER_ACTIONS } from './players.ts'
import type { TransferKind } from './test-transfers.ts'

/** The states in which money is in flight, so that a fault could lose it. */
const MONEY_STATES = [
  'deposit on the chain',
  'deposit pending',
  'withdrawal requested',
  'withdrawal approved',
  'withdrawal signed',
  'withdrawal sent',
  'sweep signed',
]

/** The results that must have occurred, besides a deposit of each kind. */
const END_STATES = [
  'withdrawal finalized',
  'withdrawal refunded',
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

/**
 * A run without violations is only meaningful if it covered every kind of fault in every money state, every player
 * action, every result, and crashes at many points. Returns what is missing.
 */
export function findMissingCoverage(coverage: Coverage): string[] {
  const wanted = [
    ...PLAYER_ACTIONS.map(({ value }) => `action: ${value}`),
    ...FAULTS.flatMap((fault) => [
      `fault: ${fault}`,
      ...MONEY_STATES.map((state) => `met: ${fault} while ${state}`),
    ]),
    ...END_STATES.map((end) => `done: ${end}`),
    ...['deposit in the game', ...CREDITED_KINDS].map((kind) => `done: credited ${kind}`),
  ]
  const points = coverage.countsUnder('crash').size
  return [
    ...wanted.filter((what) => coverage.countOf(what) === 0),
    ...(points < MIN_CRASH_POINTS ? [`crashes at ${MIN_CRASH_POINTS} points: there were ${points}`] : []),
  ]
}
