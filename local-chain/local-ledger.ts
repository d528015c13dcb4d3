import { randomBytes } from 'node:crypto'
import type { EncodedAccount, MaybeEncodedAccount } from '@solana/kit'
import type { Clock } from '#server/platform/clock.ts'
import type { Address, Commitment } from '#server/chain/port.ts'
import type { ReadTransaction } from '#server/chain/read-transaction.ts'
import { Blocks, FIRST_HEIGHT } from './blocks.ts'
import { changedBy, landedAt } from './landed.ts'
import { Machine } from './machine.ts'
import type { ErrorJson } from './solana-errors.ts'
import { Store, type Landed } from './store.ts'

/** Heights are claimed on disk this many at a time, so that a block costs no write. */
const HEIGHTS_CLAIMED_AT_ONCE = 32n

type Undo = { slot: bigint; account: MaybeEncodedAccount }

/**
 * The state of the local chain. A transaction executes at once into the current block and is on disk before
 * `submit` returns; commitments follow as blocks pass. After a restart the chain goes on some blocks later, as if it
 * had halted, with every transaction final.
 */
export class LocalLedger {
  readonly blocks: Blocks
  readonly store: Store
  readonly #clock: Clock
  readonly #undo = new Map<Address, Undo[]>()
  readonly #listeners = new Set<() => void>()
  #machine: Machine
  #claimed: bigint

  constructor(of: { dir: string; finalDepth: number; clock: Clock }) {
    this.#clock = of.clock
    this.store = new Store(of.dir)
    const secret = this.store.bytes('secret', () => randomBytes(32))
    const last = this.store.number('height')
    const height = last === null ? FIRST_HEIGHT : last + BigInt(of.finalDepth)
    this.blocks = new Blocks({ secret, height, finalDepth: of.finalDepth })
    this.#claimed = this.#claimHeights()
    this.#machine = new Machine(this.store.accounts())
  }

  onBlock(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** True while some transaction is not final yet. */
  get isSettling(): boolean {
    return this.#undo.size > 0
  }

  nextBlock(): void {
    this.blocks.next()
    if (this.blocks.height() >= this.#claimed) this.#claimed = this.#claimHeights()
    const final = this.blocks.slot('finalized')
    for (const [address, undos] of this.#undo) {
      const kept = undos.filter(({ slot }) => slot > final)
      if (kept.length > 0) this.#undo.set(address, kept)
      else this.#undo.delete(address)
    }
    for (const listener of this.#listeners) listener()
  }

  account(address: Address, commitment: Commitment): MaybeEncodedAccount {
    const seen = this.blocks.slot(commitment)
    const later = this.#undo.get(address)?.find(({ slot }) => slot > seen)
    return later?.account ?? this.#machine.account(address)
  }

  /** The newest accounts of a program; ask `account` for how one looks at a commitment. */
  accountsOf(program: Address): EncodedAccount[] {
    return this.#machine.accountsOf(program)
  }

  rentFor(bytes: bigint): bigint {
    return this.#machine.rentFor(bytes)
  }

  find(signature: string, commitment: Commitment): Landed | null {
    const landed = this.store.find(signature)
    return landed !== null && landed.slot <= this.blocks.slot(commitment) ? landed : null
  }

  simulate(read: ReadTransaction, options: { verifySignatures: boolean; anyLifetime?: boolean }) {
    const { verifySignatures, anyLifetime = false } = options
    this.#enter()
    const lifetimeOk = anyLifetime || this.blocks.isUsable(read.message.lifetimeToken)
    const run = this.#machine.simulate(read, { lifetimeOk, verifySignatures })
    const known = verifySignatures && this.store.status(read.signature) !== null
    return known ? { ...run, error: 'AlreadyProcessed' } : run
  }

  /** Null when it is in the current block, whether it succeeded or failed there; else why no block takes it. */
  submit(read: ReadTransaction): ErrorJson | null {
    if (this.store.status(read.signature) !== null) return 'AlreadyProcessed'
    this.#enter()
    const result = this.#machine.execute(read, this.blocks.isUsable(read.message.lifetimeToken))
    if ('rejected' in result) return result.rejected
    const { executed } = result
    const changed = changedBy(executed)
    const slot = this.blocks.slot()
    try {
      this.store.append(landedAt(read, executed, { slot, time: this.#clock.now() }), changed)
    } catch (error) {
      // What is not on disk did not happen.
      this.#machine = new Machine(this.store.accounts())
      throw error
    }
    for (const after of changed) {
      const before = executed.before[executed.keys.indexOf(after.address)]!
      this.#undo.set(after.address, [...(this.#undo.get(after.address) ?? []), { slot, account: before }])
    }
    return null
  }

  /** Puts an account into the first block, without a transaction. */
  endow(account: EncodedAccount): void {
    this.#machine.setAccount(account)
    this.store.saveAccount(this.#machine.account(account.address))
  }

  close(): void {
    this.store.close()
  }

  #claimHeights(): bigint {
    const claimed = this.blocks.height() + HEIGHTS_CLAIMED_AT_ONCE
    this.store.setNumber('height', claimed)
    return claimed
  }

  #enter(): void {
    this.#machine.enter({
      slot: this.blocks.slot(),
      time: this.#clock.now(),
      slotHashes: this.blocks.slotHashes(),
    })
  }
}
