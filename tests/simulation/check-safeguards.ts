import type { LedgerSnapshot, Reserve, Withdrawal } from './ledger-snapshot.ts'
import type { OperatorRecord } from './operator-record.ts'
import { POOL } from './genesis-accounts.ts'
import { REVIEW_ABOVE } from './roles.ts'
import { Violation } from './violation.ts'

const LONGEST_RESERVE_AGE_MS = 60_000

/** Fewer tokens in the treasury than this are a drained treasury. */
const DRAINED_BELOW = POOL / 2n

type SafeguardOptions = {
  operators: OperatorRecord
  /** The treasury's tokens after a final block; null if no final block has this slot. */
  treasuryAt: (slot: bigint) => bigint | null
  /** On a chain where tokens have a value, payouts need a decision and a recent reserve snapshot. */
  isStrict: boolean
  /** Tokens in cold storage count as the game's. */
  knowsColdStorage: boolean
}

/** Checks what stops payouts: reserve, review, operators, freezes. It compares each commit with the one before. */
export class SafeguardChecker {
  readonly #options: SafeguardOptions
  #before: LedgerSnapshot | null = null
  /** How many snapshots in a row have seen a drained treasury. */
  #drainedSnapshots = 0

  constructor(options: SafeguardOptions) {
    this.#options = options
  }

  /** A restored database is another history. */
  forget(): void {
    this.#before = null
    this.#drainedSnapshots = 0
  }

  /** `times` are the times that the last transaction may have read. */
  check(ledger: LedgerSnapshot, times: readonly Date[]): void {
    const before = this.#before
    this.#before = ledger
    if (before === null) return
    this.#checkActs(ledger, before)
    const frozen = ledger.frozen.filter((wallet) => before.frozen.includes(wallet))
    checkMoves(frozen, ledger, before)
    if (ledger.reserve?.slot !== before.reserve?.slot) this.#checkSnapshot(ledger)
    for (const withdrawal of ledger.withdrawals) {
      const isNew = withdrawal.state === 'signed' && !before.signed.includes(withdrawal.id)
      if (isNew) this.#checkSigned(withdrawal, { ledger, times, frozen })
    }
  }

  #checkActs(ledger: LedgerSnapshot, before: LedgerSnapshot): void {
    const done = ledger.doneActs.find((nonce) => this.#options.operators.forged.has(nonce))
    if (done !== undefined) throw new Violation('O2 an act that nobody signed is not done', done)
    if (ledger.operatorJournals !== before.operatorJournals)
      throw new Violation('O2 only a signed act changes the books', 'a journal was added')
  }

  #checkSnapshot({ reserve, paused }: LedgerSnapshot): void {
    if (reserve === null || !this.#options.isStrict) return
    const treasury = this.#options.treasuryAt(BigInt(reserve.slot))
    const isDrained = treasury !== null && treasury < DRAINED_BELOW && !this.#options.knowsColdStorage
    this.#drainedSnapshots = isDrained ? this.#drainedSnapshots + 1 : 0
    if (this.#drainedSnapshots >= 2 && !reserve.confirmed)
      throw new Violation('S2 two snapshots of a drained treasury confirm it', `slot ${reserve.slot}`)
    if (reserve.confirmed && !paused)
      throw new Violation('S3 withdrawals are paused while tokens are missing', `slot ${reserve.slot}`)
  }

  #checkSigned(
    withdrawal: Withdrawal,
    { ledger, times, frozen }: { ledger: LedgerSnapshot; times: readonly Date[]; frozen: readonly string[] },
  ): void {
    const { id, wallet } = withdrawal
    if (frozen.includes(wallet)) throw new Violation('F2 a frozen wallet is not paid', id)
    if (ledger.paused) throw new Violation('S4 nothing is signed while withdrawals are paused', id)
    if (!this.#options.isStrict) return
    if (!times.some((time) => isCovered(ledger.reserve, time)))
      throw new Violation('S1 a payout needs a recent snapshot that covers what is owed', id)
    const wanted = { id, wallet, amount: BigInt(withdrawal.amount) }
    if (needsOperator(withdrawal, ledger) && !this.#options.operators.isApproved(wanted, times))
      throw new Violation('O1 enough operators have signed what the policy does not approve', id)
  }
}

function checkMoves(frozen: readonly string[], ledger: LedgerSnapshot, before: LedgerSnapshot): void {
  const countOf = ({ moves }: LedgerSnapshot, wallet: string): number =>
    moves.find((each) => each.wallet === wallet)?.count ?? 0
  const moving = frozen.find((wallet) => countOf(ledger, wallet) !== countOf(before, wallet))
  if (moving !== undefined) throw new Violation('F1 a frozen wallet moves no value', moving)
}

function isCovered(reserve: Reserve | null, time: Date): boolean {
  if (reserve === null || reserve.confirmed) return false
  return Math.abs(time.getTime() - reserve.atMs) <= LONGEST_RESERVE_AGE_MS + 10 * reserve.tookMs
}

/** The rules that hold whatever else the policy asks for. */
function needsOperator({ id, wallet, amount, earned }: Withdrawal, ledger: LedgerSnapshot): boolean {
  const hasBeenPaid = ledger.withdrawals.some(
    (each) => each.wallet === wallet && each.state === 'finalized' && each.id !== id,
  )
  const hasDeposited = ledger.credits.some((each) => each.wallet === wallet)
  return BigInt(amount) > REVIEW_ABOVE || !hasBeenPaid || (BigInt(earned) > 0n && !hasDeposited)
}
