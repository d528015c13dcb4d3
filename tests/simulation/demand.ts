import type { Coverage } from './coverage.ts'
import { FAULTS } from './faults.ts'
import { DEEDS } from './players.ts'
import type { SendingKind } from './transfers.ts'

/** Where money is on its way, so that a fault can harm it. */
const STATES = [
  'deposit on the chain',
  'deposit pending',
  'withdrawal requested',
  'withdrawal approved',
  'withdrawal signed',
  'withdrawal sent',
  'sweep signed',
]

/** What must have come to its end, besides the deposits of each kind. */
const ENDS = [
  'withdrawal finalized',
  'withdrawal refunded',
  'receipt unclaimed sol',
  'receipt unclaimed other_token',
  'receipt dropped cotton',
  'sweep finalized',
  'claims of a player',
  'world from a backup',
]

/** Kinds of transactions that are worth something where they succeed. */
const CREDITED: readonly SendingKind[] = [
  'plain transfer',
  'transfer to the open account',
  'two transfers in one',
]

/** So many different points at which a process died. */
const FEWEST_CRASH_POINTS = 100

/**
 * What a run must have met so that its silence says something: every kind of fault in every state of money, every
 * deed and every end, and deaths all over. Answers what is missing.
 */
export function missingFrom(coverage: Coverage): string[] {
  const wanted = [
    ...DEEDS.map(({ value }) => `deed: ${value}`),
    ...FAULTS.flatMap((fault) => [
      `fault: ${fault}`,
      ...STATES.map((state) => `met: ${fault} while ${state}`),
    ]),
    ...ENDS.map((end) => `done: ${end}`),
    ...['deposit in the game', ...CREDITED].map((kind) => `done: credited ${kind}`),
  ]
  const points = coverage.under('crash').size
  return [
    ...wanted.filter((what) => coverage.of(what) === 0),
    ...(points < FEWEST_CRASH_POINTS
      ? [`a death at ${FEWEST_CRASH_POINTS} points: there were ${points}`]
      : []),
  ]
}
