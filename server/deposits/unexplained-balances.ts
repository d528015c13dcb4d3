import type { BalanceMismatch } from './find-mismatches.ts'

type Known = { amount: bigint; expected: bigint; tries: number; nextRound: number }

/** A balance that stays unexplained is asked about at least this often, in rounds. */
const MAX_PAUSE_ROUNDS = 64

/** More than there ever should be; whoever forgets them all reads some histories once more. */
const MAX_KNOWN = 50_000

/**
 * Balances that differ from the books although their histories were read, such as one whose deposit waits for a second
 * node. Each is read again ever more rarely, until it or the books change.
 */
export class UnexplainedBalances {
  readonly #known = new Map<string, Known>()

  /** True where the history of this account is to be read in this round. */
  isDue({ tokenAccount, amount, expected }: BalanceMismatch, round: number): boolean {
    const known = this.#known.get(tokenAccount)
    return !known || known.amount !== amount || known.expected !== expected || round >= known.nextRound
  }

  /** The history of this account was read in this round. */
  markRead({ tokenAccount, amount, expected }: BalanceMismatch, round: number): void {
    const known = this.#known.get(tokenAccount)
    const isSame = known?.amount === amount && known.expected === expected
    const tries = isSame ? known.tries + 1 : 1
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    const nextRound = round + Math.min(MAX_PAUSE_ROUNDS, 2 ** (tries - 1))
    this.#known.set(tokenAccount, { amount, expected, tries, nextRound })
  }

  /** These accounts hold what the books say. */
  markExplained(tokenAccounts: Iterable<string>): void {
    for (const account of tokenAccounts) this.#known.delete(account)
  }
}
