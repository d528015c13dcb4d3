import type { Moved } from './find-moved.ts'

type Known = { amount: bigint; expected: bigint; tries: number; again: number }

/** A balance that stays unexplained is asked about at least this often, in rounds. */
const LONGEST_PAUSE = 64

/** More than there ever should be; whoever forgets them all reads some histories once more. */
const MOST = 50_000

/**
 * Balances that differ from the books although their histories were read, such as one whose deposit waits for a second
 * node. Each is read again ever more rarely, until it or the books change.
 */
export class Unexplained {
  readonly #known = new Map<string, Known>()

  /** True where the history of this account is to be read in this round. */
  isDue({ tokenAccount, amount, expected }: Moved, round: number): boolean {
    const known = this.#known.get(tokenAccount)
    return !known || known.amount !== amount || known.expected !== expected || round >= known.again
  }

  /** The history of this account was read in this round. */
  wasRead({ tokenAccount, amount, expected }: Moved, round: number): void {
    const known = this.#known.get(tokenAccount)
    const isSame = known?.amount === amount && known.expected === expected
    const tries = isSame ? known.tries + 1 : 1
    if (this.#known.size >= MOST) this.#known.clear()
    const again = round + Math.min(LONGEST_PAUSE, 2 ** (tries - 1))
    this.#known.set(tokenAccount, { amount, expected, tries, again })
  }

  /** These accounts hold what the books say. */
  explained(tokenAccounts: Iterable<string>): void {
    for (const account of tokenAccounts) this.#known.delete(account)
  }
}
