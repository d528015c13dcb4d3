import { createHash } from 'node:crypto'
import { type EncodedAccount, getBase58Decoder, type MaybeEncodedAccount } from '@solana/kit'
import { getNonceSize, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { changedAccounts, toLandedTransaction } from '#local-chain/landed-transaction.ts'
import { VirtualMachine } from '#local-chain/virtual-machine.ts'
import type { LandedTransaction } from '#local-chain/store.ts'
import type { Address, Blockhash } from '#server/chain/port.ts'
import type { DecodedTransaction } from '#server/chain/read-transaction.ts'

/** A block is final after this many further blocks. */
export const FINAL_DEPTH = 4

/** The lifetime of a blockhash in blocks. It is short, so that blockhashes expire within a short history. */
export const BLOCKHASH_LIFE = 14n

const FIRST_HEIGHT = 1_000n
const NONCE_VALUE_AT = 40

/** A block of the tree. The state of an account is in the block itself or in its nearest ancestor that changed it. */
export type Block = {
  readonly height: bigint
  readonly slot: bigint
  readonly hash: Blockhash
  readonly parent: Block | null
  readonly landed: LandedTransaction[]
  readonly accountsAfter: Map<Address, MaybeEncodedAccount>
}

/** A transaction in flight. After `delay` blocks, each further block may include it. */
export type InFlightTransaction = { read: DecodedTransaction; delay: number }

/**
 * A chain that forks: its newest blocks may be abandoned for others. Their transactions land again later, or never.
 * Transactions run in the real virtual machine with the real token program.
 */
export class ForkingChain {
  readonly machine: VirtualMachine
  readonly #genesis: ReadonlyMap<Address, EncodedAccount>
  readonly #changedAddresses = new Set<Address>()
  /** The accounts of programs, until the chain changes. */
  readonly #programAccounts = new Map<Address, EncodedAccount[]>()
  inFlight: InFlightTransaction[] = []
  tip!: Block
  final!: Block
  #salt = 0
  #slot = 0n

  constructor(genesis: readonly EncodedAccount[]) {
    this.#genesis = new Map(genesis.map((account) => [account.address, account]))
    this.machine = new VirtualMachine(genesis)
  }

  /** Starts again from the genesis accounts. */
  reset(seed: number): void {
    this.#programAccounts.clear()
    for (const address of this.#changedAddresses)
      this.#setAccount(address, this.#genesis.get(address) ?? null)
    this.#changedAddresses.clear()
    this.#salt = seed
    this.#slot = FIRST_HEIGHT + 500_000n
    this.inFlight = []
    let block: Block | null = null
    const accountsAfter = new Map<Address, MaybeEncodedAccount>()
    for (const account of this.#genesis.values())
      accountsAfter.set(account.address, { ...account, exists: true } as MaybeEncodedAccount)
    for (let at = 0n; at <= FINAL_DEPTH; at++)
      block = this.#createBlock(block, FIRST_HEIGHT + at, at === 0n ? accountsAfter : new Map())
    this.tip = block!
    this.final = ancestorOf(this.tip, FINAL_DEPTH)
  }

  /** Adds a block with those of the wanted transactions that can land now. Returns them. */
  addBlock(candidates: readonly InFlightTransaction[], now: Date): LandedTransaction[] {
    this.#programAccounts.clear()
    const block = this.#createBlock(this.tip, this.tip.height + 1n, new Map())
    this.machine.enterBlock({ slot: block.slot, time: now, slotHashes: [] })
    for (const { read } of candidates) {
      if (
        this.findLanded(this.tip, read.signature) ||
        block.landed.some((each) => each.signature === read.signature)
      )
        continue
      const result = this.machine.execute(read, this.isUsable(this.tip, read.message.lifetimeToken))
      if ('rejected' in result) continue
      const { executed } = result
      for (const account of changedAccounts(executed)) {
        this.#changedAddresses.add(account.address)
        block.accountsAfter.set(account.address, this.#withOwnNonce(account, block))
      }
      block.landed.push(toLandedTransaction(read, executed, { slot: block.slot, time: now }))
    }
    this.tip = block
    const final = ancestorOf(this.tip, FINAL_DEPTH)
    if (final.height > this.final.height) this.final = final
    return block.landed
  }

  /** The newest accounts of a program, in an order that is the same in every run. */
  accountsOf(program: Address): EncodedAccount[] {
    const known = this.#programAccounts.get(program)
    if (known !== undefined) return known
    const accounts = this.machine.accountsOf(program).toSorted((a, b) => (a.address < b.address ? -1 : 1))
    this.#programAccounts.set(program, accounts)
    return accounts
  }

  /** How many of the newest blocks are not final. */
  get reversibleBlocks(): number {
    return Number(this.tip.height - this.final.height)
  }

  /** Abandons the newest blocks. Returns their transactions, which may land again. */
  revert(depth: number): LandedTransaction[] {
    this.#programAccounts.clear()
    const reverted: LandedTransaction[] = []
    const touched = new Set<Address>()
    for (let left = depth; left > 0; left--) {
      reverted.unshift(...this.tip.landed)
      for (const address of this.tip.accountsAfter.keys()) touched.add(address)
      this.tip = this.tip.parent!
    }
    for (const address of touched) {
      const account = accountAt(this.tip, address)
      this.#setAccount(address, account?.exists ? account : null)
    }
    return reverted
  }

  findLanded(tip: Block, signature: string): LandedTransaction | null {
    for (let block: Block | null = tip; block !== null; block = block.parent) {
      const found = block.landed.find((each) => each.signature === signature)
      if (found !== undefined) return found
    }
    return null
  }

  isUsable(tip: Block, blockhash: string): boolean {
    let block: Block | null = tip
    for (let age = 0n; age <= BLOCKHASH_LIFE && block !== null; age++, block = block.parent)
      if (block.hash === blockhash) return true
    return false
  }

  #createBlock(parent: Block | null, height: bigint, accountsAfter: Block['accountsAfter']): Block {
    // Slots never repeat, so two blocks of one height differ in slot and hash.
    const slot = ++this.#slot
    const digest = createHash('sha256').update(`${this.#salt} ${slot}`).digest()
    return {
      height,
      slot,
      hash: getBase58Decoder().decode(digest) as Blockhash,
      parent,
      landed: [],
      accountsAfter,
    }
  }

  // A nonce is derived from the block that advanced it, so no two forks have the same value.
  #withOwnNonce(account: MaybeEncodedAccount, { hash }: Block): MaybeEncodedAccount {
    const isNonce =
      account.exists &&
      account.programAddress === SYSTEM_PROGRAM_ADDRESS &&
      account.data.length === getNonceSize()
    if (!isNonce) return account
    const data = Uint8Array.from(account.data)
    data.set(createHash('sha256').update(`DURABLE_NONCE ${hash}`).digest(), NONCE_VALUE_AT)
    const changed = { ...account, data }
    this.machine.setAccount(changed)
    return changed
  }

  #setAccount(address: Address, account: EncodedAccount | null): void {
    this.machine.setAccount(account ?? emptyAccount(address))
  }
}

const emptyAccount = (address: Address): EncodedAccount => ({
  address,
  lamports: 0n as EncodedAccount['lamports'],
  programAddress: SYSTEM_PROGRAM_ADDRESS,
  executable: false,
  space: 0n,
  data: new Uint8Array(),
})

/** The ancestor of a block, this many generations back. */
export function ancestorOf(block: Block, generations: number): Block {
  let found = block
  for (let left = generations; left > 0 && found.parent !== null; left--) found = found.parent
  return found
}

/** The state of an account after a block; null if it has never existed there. */
export function accountAt(tip: Block, address: Address): MaybeEncodedAccount | null {
  for (let block: Block | null = tip; block !== null; block = block.parent) {
    const found = block.accountsAfter.get(address)
    if (found !== undefined) return found
  }
  return null
}
