import { randomBytes } from 'node:crypto'
import type { EncodedAccount, MaybeEncodedAccount } from '@solana/kit'
import type { Clock } from '#server/platform/clock.ts'
import type { Address, Commitment } from '#server/chain/port.ts'
import type { DecodedTransaction } from '#server/chain/read-transaction.ts'
import { Blocks, FIRST_HEIGHT } from './blocks.ts'
import { changedAccounts, toLandedTransaction } from './landed-transaction.ts'
import { VirtualMachine } from './virtual-machine.ts'
import type { ErrorJson } from './solana-errors.ts'
import { Store, type LandedTransaction } from './store.ts'

/** Heights are reserved on disk this many at a time, so that a block needs no write. */
const HEIGHTS_RESERVED_AT_ONCE = 32n

type Undo = { slot: bigint; account: MaybeEncodedAccount }

/**
 * The state of the local chain. A transaction is executed in the current block and is on disk before `submit` returns; its
 * commitment rises with the blocks that follow. After a restart the chain continues some blocks later, as after a halt,
 * with every transaction finalized.
 */
export class LocalLedger {
  readonly blocks: Blocks
  readonly store: Store
  readonly #clock: Clock
  readonly #undo = new Map<Address, Undo[]>()
  readonly #listeners = new Set<() => void>()
  #vm: VirtualMachine
  #reserved: bigint

  constructor(of: { dir: string; finalDepth: number; clock: Clock }) {
    this.#clock = of.clock
    this.store = new Store(of.dir)
    const secret = this.store.readOrCreateBytes('secret', () => randomBytes(32))
    const last = this.store.readNumber('height')
    const height = last === null ? FIRST_HEIGHT : last + BigInt(of.finalDepth)
    this.blocks = new Blocks({ secret, height, finalDepth: of.finalDepth })
    this.#reserved = this.#reserveHeights()
    this.#vm = new VirtualMachine(this.store.accounts())
  }

  onBlock(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Whether a transaction is not finalized yet. */
  get isSettling(): boolean {
    return this.#undo.size > 0
  }

  nextBlock(): void {
    this.blocks.next()
    if (this.blocks.height() >= this.#reserved) this.#reserved = this.#reserveHeights()
    const final = this.blocks.slot('finalized')
    for (const [address, undos] of this.#undo) {
      const remaining = undos.filter(({ slot }) => slot > final)
      if (remaining.length > 0) this.#undo.set(address, remaining)
      else this.#undo.delete(address)
    }
    for (const listener of this.#listeners) listener()
  }

  account(address: Address, commitment: Commitment): MaybeEncodedAccount {
    const seen = this.blocks.slot(commitment)
    const later = this.#undo.get(address)?.find(({ slot }) => slot > seen)
    return later?.account ?? this.#vm.account(address)
  }

  /** The newest accounts of a program. `account` returns one at a given commitment. */
  accountsOf(program: Address): EncodedAccount[] {
    return this.#vm.accountsOf(program)
  }

  rentFor(bytes: bigint): bigint {
    return this.#vm.rentFor(bytes)
  }

  find(signature: string, commitment: Commitment): LandedTransaction | null {
    const landed = this.store.find(signature)
    return landed !== null && landed.slot <= this.blocks.slot(commitment) ? landed : null
  }

  simulate(decoded: DecodedTransaction, options: { verifySignatures: boolean; anyLifetime?: boolean }) {
    const { verifySignatures, anyLifetime = false } = options
    this.#enterBlock()
    const lifetimeOk = anyLifetime || this.blocks.isUsable(decoded.message.lifetimeToken)
    const run = this.#vm.simulate(decoded, { lifetimeOk, verifySignatures })
    const known = verifySignatures && this.store.status(decoded.signature) !== null
    return known ? { ...run, error: 'AlreadyProcessed' } : run
  }

  /** Null if the current block includes it, succeeded or failed; otherwise why no block includes it. */
  submit(decoded: DecodedTransaction): ErrorJson | null {
    if (this.store.status(decoded.signature) !== null) return 'AlreadyProcessed'
    this.#enterBlock()
    const result = this.#vm.execute(decoded, this.blocks.isUsable(decoded.message.lifetimeToken))
    if ('rejected' in result) return result.rejected
    const { executed } = result
    const changed = changedAccounts(executed)
    const slot = this.blocks.slot()
    try {
      this.store.append(toLandedTransaction(decoded, executed, { slot, time: this.#clock.now() }), changed)
    } catch (error) {
      // A transaction that is not on disk has not happened.
      this.#vm = new VirtualMachine(this.store.accounts())
      throw error
    }
    for (const after of changed) {
      const before = executed.before[executed.keys.indexOf(after.address)]!
      this.#undo.set(after.address, [...(this.#undo.get(after.address) ?? []), { slot, account: before }])
    }
    return null
  }

  /** Adds an account to the first block, without a transaction. */
  insertAccount(account: EncodedAccount): void {
    this.#vm.setAccount(account)
    this.store.saveAccount(this.#vm.account(account.address))
  }

  close(): void {
    this.store.close()
  }

  #reserveHeights(): bigint {
    const reserved = this.blocks.height() + HEIGHTS_RESERVED_AT_ONCE
    this.store.setNumber('height', reserved)
    return reserved
  }

  #enterBlock(): void {
    this.#vm.enterBlock({
      slot: this.blocks.slot(),
      time: this.#clock.now(),
      slotHashes: this.blocks.slotHashes(),
    })
  }
}
