import type { Coverage } from './coverage.ts'
import { FAULTS } from './fault-profile.ts'

/** The states in which a fault could lose money, or could get past what stops payouts. */
const STATES = [
  'deposit on the chain',
  'deposit pending',
  'withdrawal requested',
  'withdrawal review',
  'withdrawal approved',
  'withdrawal signed',
  'withdrawal sent',
  'sweep signed',
  'wallet frozen',
  'withdrawals paused',
  'tokens missing',
] as const

type State = (typeof STATES)[number]

/** A fault that cannot happen in a state, and the reason. */
type Unreachable = { fault: string; state: State; why: string }

const UNREACHABLE: readonly Unreachable[] = [
  {
    fault: 'withdrawals paused',
    state: 'withdrawals paused',
    why: 'an operator pauses only what is not paused',
  },
]

const countOf = (coverage: Coverage, fault: string, state: State): number =>
  coverage.countOf(`met: ${fault} while ${state}`)

const isUnreachable = (fault: string, state: State): boolean =>
  UNREACHABLE.some((each) => each.fault === fault && each.state === state)

const CELLS = FAULTS.flatMap((fault) => STATES.map((state) => ({ fault, state })))

/** The reachable cells that are empty. */
export const findEmptyCells = (coverage: Coverage): string[] =>
  CELLS.filter(
    ({ fault, state }) => countOf(coverage, fault, state) === 0 && !isUnreachable(fault, state),
  ).map(({ fault, state }) => `met: ${fault} while ${state}`)

/** The cells that are listed as unreachable and are not empty: their reasons are wrong. */
export const findWrongReasons = (coverage: Coverage): Unreachable[] =>
  UNREACHABLE.filter(({ fault, state }) => countOf(coverage, fault, state) > 0)

/** Each fault with how often it met each state, as lines. A dash is a cell that cannot be reached. */
export function formatCoverageTable(coverage: Coverage): string[] {
  const nameWidth = Math.max(...FAULTS.map((fault) => fault.length))
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(nameWidth)}${cells.map((cell, at) => cell.padStart(STATES[at]!.length + 2)).join('')}`
  return [
    line('', STATES),
    ...FAULTS.map((fault) =>
      line(
        fault,
        STATES.map((state) => (isUnreachable(fault, state) ? '–' : String(countOf(coverage, fault, state)))),
      ),
    ),
    ...UNREACHABLE.map(({ fault, state, why }) => `– ${fault} while ${state}: ${why}`),
  ]
}
