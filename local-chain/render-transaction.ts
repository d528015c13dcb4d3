import { getBase58Decoder, getBase58Encoder } from '@solana/kit'
import { SUPPORTED_MEMO_PROGRAM_ADDRESSES } from '@solana-program/memo'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import type { Address } from '#server/chain/port.ts'
import { readTransaction, type Message, type DecodedTransaction } from '#server/chain/read-transaction.ts'
import { TOKEN_PROGRAMS } from '#server/chain/token-accounts.ts'
import { RpcError, invalid, type Config } from './rpc-params.ts'
import type { LandedTransaction } from './store.ts'
import { uiAmount } from './token-rows.ts'

const UNSUPPORTED_VERSION = -32015

type CompiledInstruction = {
  programIdIndex: number
  accounts: number[]
  data: string
  stackHeight: number | null
}

/** A landed transaction as `getTransaction` returns it, in the requested encoding. */
export function renderTransaction(landed: LandedTransaction, config: Config): unknown {
  const decoded = readTransaction(landed.wire)
  const { version } = decoded.message
  if (version !== 'legacy' && typeof config.maxSupportedTransactionVersion !== 'number')
    throw new RpcError(
      UNSUPPORTED_VERSION,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again ` +
        `with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    )
  const parsed = config.encoding === 'jsonParsed'
  const { meta, error } = landed
  return {
    slot: landed.slot,
    blockTime: landed.blockTime,
    version,
    transaction: renderEncoded(decoded, meta.keys, config.encoding),
    meta: {
      err: error,
      status: error === null ? { Ok: null } : { Err: error },
      fee: BigInt(meta.fee),
      computeUnitsConsumed: meta.unitsConsumed,
      logMessages: meta.logs,
      preBalances: meta.preBalances.map(BigInt),
      postBalances: meta.postBalances.map(BigInt),
      preTokenBalances: meta.preTokens,
      postTokenBalances: meta.postTokens,
      rewards: [],
      innerInstructions: meta.inner.map(({ index, instructions }) => ({
        index,
        instructions: parsed ? instructions.map((inner) => parseInstruction(meta.keys, inner)) : instructions,
      })),
      ...(parsed ? {} : { loadedAddresses: meta.loaded }),
    },
  }
}

function renderEncoded(decoded: DecodedTransaction, keys: Address[], encoding: unknown = 'json'): unknown {
  switch (encoding) {
    case 'base64':
      return [Buffer.from(decoded.wire).toString('base64'), 'base64']
    case 'base58':
      return [getBase58Decoder().decode(decoded.wire), 'base58']
    case 'json':
    case 'jsonParsed': {
      const signatures = Object.values(decoded.transaction.signatures).map((signature) =>
        getBase58Decoder().decode(signature!),
      )
      const parsed = encoding === 'jsonParsed'
      return {
        signatures,
        message: parsed ? parsedMessage(decoded.message, keys) : plainMessage(decoded.message),
      }
    }
    default:
      throw invalid('unsupported encoding')
  }
}

function plainMessage(message: Message): unknown {
  const { header } = message
  return {
    header: {
      numRequiredSignatures: header.numSignerAccounts,
      numReadonlySignedAccounts: header.numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
    },
    accountKeys: message.staticAccounts,
    recentBlockhash: message.lifetimeToken,
    instructions: instructionsOf(message),
    ...lookupsOf(message),
  }
}

function parsedMessage(message: Message, keys: Address[]): unknown {
  const isStatic = (index: number) => index < message.staticAccounts.length
  return {
    accountKeys: keys.map((pubkey, index) => ({
      pubkey,
      signer: index < message.header.numSignerAccounts,
      writable: isWritable(message, index),
      source: isStatic(index) ? 'transaction' : 'lookupTable',
    })),
    recentBlockhash: message.lifetimeToken,
    instructions: instructionsOf(message).map((instruction) => parseInstruction(keys, instruction)),
    ...lookupsOf(message),
  }
}

function isWritable(message: Message, index: number): boolean {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header
  const statics = message.staticAccounts.length
  if (index < numSignerAccounts) return index < numSignerAccounts - numReadonlySignerAccounts
  if (index < statics) return index < statics - numReadonlyNonSignerAccounts
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : []
  return index < lookups.reduce((sum, lookup) => sum + lookup.writableIndexes.length, statics)
}

function instructionsOf(message: Message): CompiledInstruction[] {
  return message.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
    programIdIndex: programAddressIndex,
    accounts: [...(accountIndices ?? [])],
    data: getBase58Decoder().decode(data ?? new Uint8Array()),
    stackHeight: 1,
  }))
}

function lookupsOf(message: Message): object {
  if (message.version !== 0) return {}
  const addressTableLookups = (message.addressTableLookups ?? []).map((lookup) => ({
    accountKey: lookup.lookupTableAddress,
    writableIndexes: lookup.writableIndexes,
    readonlyIndexes: lookup.readonlyIndexes,
  }))
  return { addressTableLookups }
}

/** Parsed instructions for explorers and wallets. Those of other programs stay bytes. */
function parseInstruction(keys: Address[], instruction: CompiledInstruction): unknown {
  const { stackHeight } = instruction
  const programId = keys[instruction.programIdIndex]!
  const data = Buffer.from(getBase58Encoder().encode(instruction.data))
  const accounts = instruction.accounts.map((index) => keys[index]!)
  const [first, second, third, fourth] = accounts
  const toParsed = (program: string, type: string, info: unknown) => {
    return { program, programId, parsed: { type, info }, stackHeight }
  }
  if ((SUPPORTED_MEMO_PROGRAM_ADDRESSES as readonly string[]).includes(programId))
    return { program: 'spl-memo', programId, parsed: data.toString(), stackHeight }
  if (programId === SYSTEM_PROGRAM_ADDRESS && data[0] === 2 && data.length === 12) {
    const lamports = data.readBigUInt64LE(4)
    return toParsed('system', 'transfer', { source: first, destination: second, lamports })
  }
  if (TOKEN_PROGRAMS.includes(programId) && data[0] === 3 && data.length === 9) {
    const amount = data.readBigUInt64LE(1).toString()
    return toParsed('spl-token', 'transfer', { source: first, destination: second, authority: third, amount })
  }
  if (TOKEN_PROGRAMS.includes(programId) && data[0] === 12 && data.length === 10) {
    const tokenAmount = uiAmount(data.readBigUInt64LE(1), data[9]!)
    const info = { source: first, mint: second, destination: third, authority: fourth, tokenAmount }
    return toParsed('spl-token', 'transferChecked', info)
  }
  return { programId, accounts, data: instruction.data, stackHeight }
}
