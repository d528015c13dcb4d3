import type { Coverage } from './coverage.ts'
import { FAULTS } from './fault-profile.ts'
import { PLAYER_ACTIONS } from './players.ts'
import type { TransferKind } from './test-transfers.ts'

/** Where money is on its way, so that a fault can harm it. */
const MONEY_STATES = [
  'deposit on the chain',
  'deposit pending',
  'withdrawal requested',
  'withdrawal approved',
  'withdrawal signed',
  'withdrawal sent',
  'sweep signed',
]

/** What must have come to its end, besides the deposits of each kind. */
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

/** Kinds of transactions that are worth something where they succeed. */
const CREDITED_KINDS: readonly TransferKind[] = [
  'plain transfer',
  'transfer to the open account',
  'two transfers in one',
]

/** So many different points at which a process died. */
const MIN_CRASH_POINTS = 100

/**
 * What a run must have met so that its silence says something: every kind of fault in every state of money, every
 * deed and every end, and deaths all over. Answers what is missing.
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
    ...(points < MIN_CRASH_POINTS ? [`a death at ${MIN_CRASH_POINTS} points: there were ${points}`] : []),
  ]
}
