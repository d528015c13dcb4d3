import type { Step } from './find-order.ts'

/** Null if an operation of unknown amount came before, until an answer states the balance again. */
export type Balance = bigint | null

export type BalanceStep = Step<Balance> & {
  /** Null if nobody was answered how much. */
  amount: bigint | null
  /** An unknown amount is positive and not above this, if something is known. */
  atMost?: bigint | null
  /** The balance that the answer states. */
  stated: bigint | null
}

/** Above this number of silent steps only so few of them are tried together. */
const MANY = 18
const FEW = 5

/**
 * An answer that states a balance comes next, behind those silent steps (sales to others, refunds, unknown outcomes)
 * that together make up what is missing to it. Small sets are tried first. Any order can be written like this, because
 * a silent step may wait for the next answer that needs it.
 */
export function* listBalanceMoves(
  balance: Balance,
  open: readonly BalanceStep[],
): Generator<readonly BalanceStep[]> {
  const answered = open.filter(({ stated }) => stated !== null)
  const silent = open.filter(({ stated, amount }) => stated === null && amount !== null)
  const most = silent.length > MANY ? FEW : silent.length
  for (let size = 0; size <= most; size++) {
    for (const step of answered) {
      const missing = balance === null ? null : step.stated! - step.amount! - balance
      // Increases first: a payment may need them.
      for (const set of listSets(silent, size, missing))
        yield [...set.toSorted((a, b) => Number(b.amount! - a.amount!)), step]
    }
  }
  // An unknown amount makes up for anything up to its bound, so any set may have come before the answer.
  const unknown = balance === null ? [] : open.filter(({ amount }) => amount === null)
  for (let size = 0; size <= Math.min(most, FEW); size++)
    for (const each of unknown)
      for (const set of listSets(silent, size, null))
        for (const step of answered) {
          const rest = set.reduce((sum, { amount }) => sum + amount!, balance!)
          if (isPossible(each, step.stated! - step.amount! - rest)) yield [each, ...set, step]
        }
  // What ends before any answer begins comes next by itself.
  const [due] = open.filter(({ stated, isOptional }) => stated === null && !isOptional)
  if (due) yield [due]
}

const isPossible = ({ atMost = null }: BalanceStep, amount: bigint): boolean =>
  atMost === null || (amount > 0n && amount <= atMost)

/** All sets of `size` steps whose amounts have this sum, or any sum. */
function* listSets(
  steps: readonly BalanceStep[],
  size: number,
  sum: bigint | null,
  from = 0,
): Generator<BalanceStep[]> {
  if (size === 0) {
    if (sum === 0n || sum === null) yield []
    return
  }
  for (let at = from; at <= steps.length - size; at++) {
    const step = steps[at]!
    if (size === 1 && sum !== null && step.amount !== sum) continue
    const left = sum === null ? null : sum - step.amount!
    for (const rest of listSets(steps, size - 1, left, at + 1)) yield [step, ...rest]
  }
}
