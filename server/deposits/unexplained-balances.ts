/** What a token account holds, and what the database expects, in base units. */
export type Balance = { tokenAccount: string; amount: bigint; expected: bigint }

type Known = { amount: bigint; expected: bigint; tries: number; nextRound: number }

/** The longest pause, in rounds, between two reads for a balance that stays unexplained. */
const MAX_PAUSE_ROUNDS = 64

/** Bounds the memory. When it is reached all entries are dropped, and some histories are read once more. */
const MAX_KNOWN = 50_000

/**
 * Balances that differ from the database although their histories were read, for example while a deposit waits for a
 * second node. Each history is read again with exponential backoff, until the balance or the expectation changes.
 */
export class UnexplainedBalances {
  readonly #known = new Map<string, Known>()

  /** Whether the history of this account is due in this round. */
  isDue({ tokenAccount, amount, expected }: Balance, round: number): boolean {
    const known = this.#known.get(tokenAccount)
    return !known || known.amount !== amount || known.expected !== expected || round >= known.nextRound
  }

  /**
   * Records that the history of this account was read in this round. True if the last time it did not explain the same
   * balance.
   */
  markRead({ tokenAccount, amount, expected }: Balance, round: number): boolean {
    const known = this.#known.get(tokenAccount)
    const isSame = known?.amount === amount && known.expected === expected
    const tries = isSame ? known.tries + 1 : 1
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    const nextRound = round + Math.min(MAX_PAUSE_ROUNDS, 2 ** (tries - 1))
    this.#known.set(tokenAccount, { amount, expected, tries, nextRound })
    return isSame
  }

  /** Forgets these accounts: they hold what is expected. */
  markExplained(tokenAccounts: Iterable<string>): void {
    for (const account of tokenAccounts) this.#known.delete(account)
  }
}
