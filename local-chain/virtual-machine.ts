import { createHash } from 'node:crypto'
import {
  Clock,
  FailedTransactionMetadata,
  LiteSVM,
  type SimulatedTransactionInfo,
  type TransactionMetadata,
} from 'litesvm'
import {
  getBase58Decoder,
  getBase58Encoder,
  type EncodedAccount,
  type MaybeEncodedAccount,
} from '@solana/kit'
import { getNonceSize, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import type { Address } from '#server/chain/port.ts'
import type { Message, DecodedTransaction } from '#server/chain/read-transaction.ts'
import { readMint } from '#server/chain/token-accounts.ts'
import { feeOf } from './fees.ts'
import { errorJson, type ErrorJson } from './solana-errors.ts'
import { tokenRows, type TokenRow } from './token-rows.ts'

const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
const LOOKUP_TABLE_HEADER_BYTES = 56
const ADDRESS_BYTES = 32
const ADVANCE_NONCE = 4
const NONCE_VALUE_AT = 40

export type Block = { slot: bigint; time: Date; slotHashes: { slot: bigint; hash: string }[] }

export type LoadedAddresses = { writable: Address[]; readonly: Address[] }

export type InnerInstructions = {
  index: number
  instructions: { programIdIndex: number; accounts: number[]; data: string; stackHeight: number }[]
}

/** The result of executing a transaction. `keys` are its own accounts, then those of its lookup tables. */
export type RunResult = {
  error: ErrorJson | null
  logs: string[]
  unitsConsumed: number
  fee: bigint
  keys: Address[]
  loaded: LoadedAddresses
  inner: InnerInstructions[]
}

export type ExecutedTransaction = RunResult & {
  before: MaybeEncodedAccount[]
  after: MaybeEncodedAccount[]
  preTokens: TokenRow[]
  postTokens: TokenRow[]
}

type ExecutionOptions = { lifetimeOk: boolean; verifySignatures: boolean }

/**
 * The Solana virtual machine with the real programs (LiteSVM). It executes transactions and stores the newest accounts. It
 * does not handle blocks, duplicates and blockhashes. Pass it only transactions from `readTransaction`: bytes that its own
 * decoder refuses crash the process.
 */
export class VirtualMachine {
  readonly #svm = new LiteSVM()
  #slot: bigint | null = null

  constructor(accounts: Iterable<EncodedAccount>) {
    // LiteSVM's own history is limited, and older transactions could land twice.
    this.#svm.withTransactionHistory(0n).withNativeMints()
    for (const account of accounts) this.#svm.setAccount(account)
  }

  account(address: Address): MaybeEncodedAccount {
    return this.#svm.getAccount(address)
  }

  accountsOf(program: Address): EncodedAccount[] {
    return this.#svm.getProgramAccounts(program)
  }

  setAccount(account: EncodedAccount): void {
    this.#svm.setAccount(account)
  }

  rentFor(bytes: bigint): bigint {
    return this.#svm.minimumBalanceForRentExemption(bytes)
  }

  /** Must be called before a block executes anything. */
  enterBlock(block: Block): void {
    if (this.#slot === block.slot) return
    this.#slot = block.slot
    this.#svm.setSlotHashes(block.slotHashes as never)
    const { epochStartTimestamp, epoch, leaderScheduleEpoch } = this.#svm.getClock()
    const seconds = BigInt(Math.floor(block.time.getTime() / 1000))
    this.#svm.setClock(new Clock(block.slot, epochStartTimestamp, epoch, leaderScheduleEpoch, seconds))
  }

  /** `postAccounts` decodes the accounts after the transaction, which few callers read. */
  simulate(
    decoded: DecodedTransaction,
    options: ExecutionOptions,
  ): RunResult & { postAccounts: () => MaybeEncodedAccount[] } {
    const resolved = this.#resolve(decoded.message)
    if (resolved === null)
      return { ...rejectedRun(decoded, 'AddressLookupTableNotFound'), postAccounts: () => [] }
    const refusal = this.#prepare(decoded, options)
    if (refusal !== null) return { ...rejectedRun(decoded, refusal), postAccounts: () => [] }
    const result = this.#svm.simulateTransaction(decoded.transaction)
    const postAccounts = () => {
      const accounts = result instanceof FailedTransactionMetadata ? [] : result.postAccounts()
      return accounts.map((account) => ({ ...account, exists: true }) as MaybeEncodedAccount)
    }
    return { ...toRunResult(decoded, result), ...resolved, postAccounts }
  }

  /** Executes and commits it. `rejected` if a leader would not have included it; then nothing has changed. */
  execute(
    decoded: DecodedTransaction,
    lifetimeOk: boolean,
  ): { rejected: ErrorJson } | { executed: ExecutedTransaction } {
    const resolved = this.#resolve(decoded.message)
    if (resolved === null) return { rejected: 'AddressLookupTableNotFound' }
    const refusal = this.#prepare(decoded, { lifetimeOk, verifySignatures: true })
    if (refusal !== null) return { rejected: refusal }
    const before = resolved.keys.map((key) => this.account(key))
    const preTokens = this.#tokenRows(before)
    const result = this.#svm.sendTransaction(decoded.transaction)
    const run = toRunResult(decoded, result)
    if (run.error !== null && lamportsOf(this.account(resolved.keys[0]!)) === lamportsOf(before[0]!))
      return { rejected: run.error } // no fee taken: never included
    if (run.error !== null && !lifetimeOk) this.#advanceNonce(decoded.message)
    const after = resolved.keys.map((key) => this.account(key))
    return { executed: { ...run, ...resolved, before, after, preTokens, postTokens: this.#tokenRows(after) } }
  }

  #prepare(
    decoded: DecodedTransaction,
    { lifetimeOk, verifySignatures }: ExecutionOptions,
  ): ErrorJson | null {
    const missing = Object.values(decoded.transaction.signatures).some((signature) => signature === null)
    if (verifySignatures && missing) return 'SignatureFailure'
    // LiteSVM would accept its own blockhash, which is not one of this chain.
    if (!lifetimeOk && decoded.message.lifetimeToken === this.#svm.latestBlockhash())
      return 'BlockhashNotFound'
    // If it is not a recent blockhash, it may be a durable nonce, which LiteSVM checks.
    this.#svm.withBlockhashCheck(!lifetimeOk).withSigverify(verifySignatures)
    return null
  }

  #resolve(message: Message): { keys: Address[]; loaded: LoadedAddresses } | null {
    const loaded: LoadedAddresses = { writable: [], readonly: [] }
    const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : []
    for (const lookup of lookups) {
      const table = this.account(lookup.lookupTableAddress)
      if (!table.exists || table.programAddress !== LOOKUP_TABLE_PROGRAM) return null
      const entries = (table.data.length - LOOKUP_TABLE_HEADER_BYTES) / ADDRESS_BYTES
      if ([...lookup.writableIndexes, ...lookup.readonlyIndexes].some((index) => index >= entries))
        return null
      const at = (index: number) => {
        const start = LOOKUP_TABLE_HEADER_BYTES + ADDRESS_BYTES * index
        return getBase58Decoder().decode(table.data.slice(start, start + ADDRESS_BYTES)) as Address
      }
      loaded.writable.push(...lookup.writableIndexes.map(at))
      loaded.readonly.push(...lookup.readonlyIndexes.map(at))
    }
    return { keys: [...message.staticAccounts, ...loaded.writable, ...loaded.readonly], loaded }
  }

  #tokenRows(accounts: MaybeEncodedAccount[]): TokenRow[] {
    return tokenRows(accounts, (mint) => readMint(this.account(mint))?.decimals ?? 0)
  }

  /**
   * On the real chain a failed transaction also uses up its nonce; LiteSVM does not implement that. The next value is the
   * one that a success would have left: derived from the previous one, so that no value repeats.
   */
  #advanceNonce(message: Message): void {
    const [first] = message.instructions
    const index = first?.accountIndices?.[0]
    const program = first && message.staticAccounts[first.programAddressIndex]
    if (index === undefined || program !== SYSTEM_PROGRAM_ADDRESS || first?.data?.[0] !== ADVANCE_NONCE)
      return
    const account = this.account(message.staticAccounts[index]!)
    if (!account.exists || account.data.length !== getNonceSize()) return
    const last = getBase58Encoder().encode(message.lifetimeToken)
    const data = Uint8Array.from(account.data)
    data.set(
      createHash('sha256').update('DURABLE_NONCE').update(Uint8Array.from(last)).digest(),
      NONCE_VALUE_AT,
    )
    this.#svm.setAccount({ ...account, data })
  }
}

export function lamportsOf(account: MaybeEncodedAccount): bigint {
  return account.exists ? account.lamports : 0n
}

function rejectedRun(decoded: DecodedTransaction, error: ErrorJson): RunResult {
  const keys = [...decoded.message.staticAccounts]
  const loaded = { writable: [], readonly: [] }
  return { error, logs: [], unitsConsumed: 0, fee: feeOf(decoded.message), keys, loaded, inner: [] }
}

function toRunResult(
  decoded: DecodedTransaction,
  result: TransactionMetadata | FailedTransactionMetadata | SimulatedTransactionInfo,
): Omit<RunResult, 'keys' | 'loaded'> {
  const failed = result instanceof FailedTransactionMetadata
  const metadata = failed || 'postAccounts' in result ? result.meta() : result
  return {
    error: failed ? errorJson(result.err()) : null,
    logs: metadata.logs(),
    unitsConsumed: Number(metadata.computeUnitsConsumed()),
    fee: feeOf(decoded.message),
    inner: innerInstructionsOf(metadata),
  }
}

function innerInstructionsOf(metadata: TransactionMetadata): InnerInstructions[] {
  return metadata
    .innerInstructions()
    .map((list, index) => ({
      index,
      instructions: list.map((inner) => {
        const instruction = inner.instruction()
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: getBase58Decoder().decode(instruction.data()),
          stackHeight: inner.stackHeight(),
        }
      }),
    }))
    .filter(({ instructions }) => instructions.length > 0)
}
