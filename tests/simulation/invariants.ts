import type { Signature } from '@solana/kit'
import { WALLET_BUDGET_BPS } from '#game/credit.ts'
import { baseUnits, wholeOf } from '#game/cotton.ts'
import { generated, WORKERS } from '#game/workers.ts'
import type { LandedTransaction } from '#local-chain/store.ts'
import { type Address, memoTexts } from '#server/chain/port.ts'
import type { Database } from './database.ts'
import type { Block } from './forking-chain.ts'
import { type LedgerSnapshot, snapshotStatement, type Withdrawal } from './ledger-snapshot.ts'
import { Violation } from './violation.ts'

/** How much credit a player's transaction is worth if it succeeds. */
export type Intent = { wallet: string; amount: bigint; kind: string }

const OPEN_STATES = new Set(['requested', 'review', 'approved', 'signed', 'sent'])

/** Checks one world after every change: the ledger against the final transactions of the chain. */
export class InvariantChecker {
  readonly intents = new Map<Signature, Intent>()
  /** Final transactions by signature. */
  readonly final = new Map<Signature, LandedTransaction>()
  /** Final payouts by the id in their memo. */
  readonly paid = new Map<string, LandedTransaction[]>()
  ledger!: LedgerSnapshot
  /** Sweeps that were abandoned correctly. */
  readonly #abandonedSweeps = new Set<string>()
  readonly #database: Database
  readonly #treasuryTokens: Address
  readonly #workersSince: Date
  readonly #tokenAccountOf: (wallet: string) => Address

  constructor(options: {
    database: Database
    treasuryTokens: Address
    workersSince: Date
    tokenAccountOf: (wallet: string) => Address
  }) {
    this.#database = options.database
    this.#treasuryTokens = options.treasuryTokens
    this.#workersSince = options.workersSince
    this.#tokenAccountOf = options.tokenAccountOf
  }

  /** Records a block that has become final. */
  onFinalBlock(block: Block): void {
    for (const landed of block.landed) {
      this.final.set(landed.signature, landed)
      const id = landed.error === null ? readWithdrawalId(landed) : null
      if (id === null) continue
      const paid = [...(this.paid.get(id) ?? []), landed]
      this.paid.set(id, paid)
      if (paid.length > 1)
        throw new Violation('W1 every withdrawal is paid once', `${id} was paid ${paid.length} times`)
      this.#checkPayout(id, landed)
    }
  }

  /** `latest` is the latest instant that a clock has shown. It bounds the claims; `finalHeight` bounds what can land. */
  async check({ latest, finalHeight }: { latest: Date; finalHeight: bigint }): Promise<void> {
    await this.#readLedger()
    this.#checkLedger()
    this.#checkCredits()
    for (const each of this.ledger.withdrawals) this.#checkWithdrawal(each)
    for (const id of this.ledger.unreturned)
      throw new Violation('W5 a refund returns every account to what it was', id)
    this.#checkSweeps(finalHeight)
    this.#checkBudgets()
    this.#checkClaims(latest)
  }

  /** Reads what may differ since the last check: a whole snapshot reads every row of the ledger several times. */
  async #readLedger(): Promise<void> {
    const statement = snapshotStatement(this.#database.takeWritten())
    if (statement === null) return
    const { name, text } = statement
    const [read] = await this.#database.queryAsOwner<Partial<LedgerSnapshot>>(name, text)
    this.ledger = { ...this.ledger, ...read! }
  }

  get openWithdrawals(): Withdrawal[] {
    return this.ledger.withdrawals.filter((each) => OPEN_STATES.has(each.state))
  }

  /** The credit that a final transaction must have brought its player. */
  dueAmount(signature: Signature): bigint {
    const landed = this.final.get(signature)
    return landed !== undefined && landed.error === null ? (this.intents.get(signature)?.amount ?? 0n) : 0n
  }

  #checkLedger(): void {
    const { total, drifted, held } = this.ledger
    if (total !== 0n) throw new Violation('M2 all entries sum to zero', `they sum to ${total}`)
    if (drifted > 0)
      throw new Violation(
        'M3 M4 a balance is the sum of its entries and not below zero',
        `${drifted} are not`,
      )
    const open = this.openWithdrawals.reduce((sum, each) => sum + BigInt(each.amount), 0n)
    if (held !== open) throw new Violation('W4 what is held is what is open', `${held} held, ${open} open`)
  }

  #checkCredits(): void {
    const seen = new Set<string>()
    for (const { signature, wallet, amount } of this.ledger.credits) {
      if (seen.has(signature)) throw new Violation('D1 a deposit is credited once', signature)
      seen.add(signature)
      if (!this.final.has(signature as Signature))
        throw new Violation('D3 only what is final is credited', signature)
      const due = this.dueAmount(signature as Signature)
      if (BigInt(amount) !== due)
        throw new Violation('D2 what arrived is credited, to the unit', `${signature}: ${amount}, not ${due}`)
      if (this.intents.get(signature as Signature)?.wallet !== wallet)
        throw new Violation('D7 a deposit belongs to the player of its address', signature)
    }
  }

  #checkWithdrawal({ id, state, cancelled }: Withdrawal): void {
    if (cancelled && (state === 'signed' || state === 'sent'))
      throw new Violation('W8 what is cancelled is never signed', `${id} is ${state}`)
    const paid = this.paid.get(id) ?? []
    if (state === 'finalized' && paid.length === 0)
      throw new Violation('W1 only a final payout settles', `${id} is settled and not paid`)
    if (state === 'refunded' && paid.length > 0)
      throw new Violation('W1 what is refunded is never paid', `${id} is both`)
  }

  #checkPayout(id: string, landed: LandedTransaction): void {
    const known = this.ledger.withdrawals.find((each) => each.id === id)
    if (known === undefined)
      throw new Violation('W1 only a request is paid', `no withdrawal ${id} was requested`)
    const gained = readTokenDelta(landed, this.#tokenAccountOf(known.wallet))
    const spent = -readTokenDelta(landed, this.#treasuryTokens)
    if (gained !== BigInt(known.amount) || spent !== gained)
      throw new Violation(
        'W1 a payout pays the requested amount to the requesting wallet',
        `${id}: ${gained} of ${known.amount}`,
      )
    if (known.state === 'refunded') throw new Violation('W1 what is refunded is never paid', `${id} is both`)
  }

  #checkSweeps(finalHeight: bigint): void {
    for (const { signature, state, until } of this.ledger.sweeps) {
      const landed = this.final.get(signature as Signature)
      if (state === 'finalized' && landed?.error !== null)
        throw new Violation('W2 only a final sweep is counted', signature)
      if (state !== 'failed') continue
      if (landed?.error === null) throw new Violation('W2 what was given up never lands', signature)
      const early =
        landed === undefined && finalHeight <= BigInt(until) && !this.#abandonedSweeps.has(signature)
      if (early) throw new Violation('W2 what could still land is not given up', signature)
      this.#abandonedSweeps.add(signature)
    }
  }

  #checkBudgets(): void {
    for (const { day, budget } of this.ledger.days) {
      const ofDay = this.ledger.withdrawals.filter((each) => each.day === day && each.state !== 'refunded')
      const spent = (of: Withdrawal[]): bigint => of.reduce((sum, each) => sum + BigInt(each.earned), 0n)
      const share = (BigInt(budget) * WALLET_BUDGET_BPS) / 10_000n
      const greedy = [...Map.groupBy(ofDay, (each) => each.wallet)].find(([, own]) => spent(own) > share)
      if (greedy !== undefined || spent(ofDay) > BigInt(budget))
        throw new Violation('W7 nobody exceeds the daily budget', `${greedy?.[0] ?? 'all'} on ${day}`)
    }
  }

  // At the last claim, exactly the whole $COTTON generated until then must be paid, however many claims there were.
  #checkClaims(latest: Date): void {
    for (const { wallet, amount, until } of this.ledger.claimed) {
      const [paid, due] = [BigInt(amount), this.#claimableAt(new Date(until))]
      if (until > latest.getTime()) throw new Violation('M8 no claim is made in the future', wallet)
      if (paid > due)
        throw new Violation('M8 each second is paid once', `${wallet}: ${paid}, due were ${due}`)
      if (paid < due)
        throw new Violation('M8 frequent claims pay the same', `${wallet}: ${paid}, due were ${due}`)
    }
  }

  #claimableAt(now: Date): bigint {
    const none = baseUnits(0n)
    const { ratePerHour } = WORKERS.kid
    return wholeOf(generated({ base: none, ratePerHour, since: this.#workersSince, claimed: none }, now))
  }
}

/** The withdrawal named in a transaction's memo. */
function readWithdrawalId({ memo }: LandedTransaction): string | null {
  return (
    memoTexts(memo)
      .find((text) => text.startsWith('w:'))
      ?.slice(2) ?? null
  )
}

/** What a token account gained in a transaction. */
function readTokenDelta({ meta }: LandedTransaction, account: Address): bigint {
  const at = meta.keys.indexOf(account)
  const amount = (rows: LandedTransaction['meta']['preTokens']): bigint =>
    BigInt(rows.find((row) => row.accountIndex === at)?.uiTokenAmount.amount ?? 0)
  return at < 0 ? 0n : amount(meta.postTokens) - amount(meta.preTokens)
}
