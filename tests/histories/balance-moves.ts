import type { Step } from './find-order.ts'

/** Null if an operation of unknown amount came before, until an answer states the balance again. */
export type Balance = bigint | null

export type BalanceStep = Step<Balance> & {
  /** Null if nobody was answered how much. */
  amount: bigint | null
  /** An unknown amount is positive and not above this, if something is known. */
  atMost?: bigint | null
  /** The worker whose claim it is. */
  payer?: string
  /** The balance that the answer states. */
  stated: bigint | null
}

/** Sets of so few silent steps are tried one by one, also to make up for an unknown amount. */
const FEW = 5
/** Larger sets are found by their sum among so many steps, those that end first. */
const MOST_SUMMED = 36

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
  // Increases first: a payment may need them.
  const inOrder = (set: readonly BalanceStep[]) => set.toSorted((a, b) => Number(b.amount! - a.amount!))
  const most = Math.min(FEW, silent.length)
  for (let size = 0; size <= most; size++) {
    for (const step of answered) {
      const missing = balance === null ? null : step.stated! - step.amount! - balance
      for (const set of listSets(silent, size, missing)) yield [...inOrder(set), step]
    }
  }
  if (balance !== null && silent.length > FEW) {
    const listWithSum = indexSums(silent.slice(0, MOST_SUMMED))
    for (const step of answered)
      for (const set of listWithSum(step.stated! - step.amount! - balance))
        if (set.length > FEW) yield [...inOrder(set), step]
  }
  // Unknown amounts make up for anything up to their bounds, so any set may have come before the answer.
  const unknown = balance === null ? [] : open.filter(({ amount }) => amount === null)
  for (let count = 1; count <= Math.min(FEW, unknown.length); count++)
    for (let size = 0; size <= most; size++)
      for (const claims of listClaims(unknown, count))
        for (const set of listSets(silent, size, null))
          for (const step of answered) {
            const rest = set.reduce((sum, { amount }) => sum + amount!, balance!)
            if (canPay(claims, step.stated! - step.amount! - rest)) yield [...claims, ...set, step]
          }
  // What ends before any answer begins comes next by itself, or else an increase that it needs.
  const [due] = open.filter(({ stated, isOptional }) => stated === null && !isOptional)
  if (!due) return
  yield [due]
  if (!due.canFollow(balance)) for (const step of silent) if (step.amount! > 0n) yield [step]
}

/** Sets of claims of different workers: one claim can pay all that several of its worker have paid. */
function* listClaims(claims: readonly BalanceStep[], size: number): Generator<BalanceStep[]> {
  for (const set of listSets(claims, size, null))
    if (new Set(set.map(({ payer }) => payer)).size === size) yield set
}

/** Whether claims of unknown amounts can have paid this together. */
function canPay(claims: readonly BalanceStep[], amount: bigint): boolean {
  if (claims.some(({ atMost = null }) => atMost === null)) return true
  const most = claims.reduce((sum, { atMost }) => sum + atMost!, 0n)
  return amount >= BigInt(claims.length) && amount <= most
}

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

/** Finds all sets with a sum: each set of the first half is completed by those of the second half with the rest. */
function indexSums(steps: readonly BalanceStep[]): (sum: bigint) => Generator<BalanceStep[]> {
  const halves = [steps.slice(0, steps.length / 2), steps.slice(steps.length / 2)] as const
  const [firstSums, secondSums] = halves.map(sumSets) as [bigint[], bigint[]]
  const secondBySum = Map.groupBy(secondSums.keys(), (set) => secondSums[set]!)
  const stepsOf = (half: readonly BalanceStep[], set: number) => half.filter((_, at) => (set >> at) & 1)
  return function* (sum) {
    for (const [set, part] of firstSums.entries())
      for (const rest of secondBySum.get(sum - part) ?? [])
        yield [...stepsOf(halves[0], set), ...stepsOf(halves[1], rest)]
  }
}

/** The sums of all sets of steps. A set is a number with a bit for each of its steps. */
function sumSets(steps: readonly BalanceStep[]): bigint[] {
  const sums = [0n]
  for (const { amount } of steps) sums.push(...sums.map((sum) => sum + amount!))
  return sums
}
