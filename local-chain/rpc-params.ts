import { getBase58Encoder, isAddress, isSignature } from '@solana/kit'
import type { Address, Commitment, SettledCommitment, Signature } from '#server/chain/port.ts'
import {
  MalformedTransaction,
  readTransaction,
  type DecodedTransaction,
} from '#server/chain/read-transaction.ts'

export const INVALID_PARAMS = -32602

/** An error response, with a code of JSON-RPC or Solana. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The methods of a node by name. Each takes the parameters of a JSON-RPC call and returns its result. */
export type Methods = Record<string, (params: readonly unknown[]) => unknown>

export type Config = { readonly [name: string]: unknown }

export function invalid(what: string): RpcError {
  return new RpcError(INVALID_PARAMS, `Invalid param: ${what}`)
}

/** The id of a request: text, a number or null. It is sent back, so anything else would be written back too. */
export function idOf(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

export function addressOf(value: unknown): Address {
  if (typeof value !== 'string' || !isAddress(value)) throw invalid('Invalid')
  return value
}

export function signatureOf(value: unknown): Signature {
  if (typeof value !== 'string' || !isSignature(value)) throw invalid('Invalid')
  return value
}

export function listOf<T>(value: unknown, maxItems: number, item: (value: unknown) => T): T[] {
  if (!Array.isArray(value)) throw invalid('expected a list')
  if (value.length > maxItems) throw invalid(`Too many inputs provided; max ${maxItems}`)
  return value.map(item)
}

/**
 * The configuration object of a call; `{}` if it is omitted. A field that is null counts as omitted: Solana's clients in Rust
 * write every field.
 */
export function configOf(value: unknown): Config {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid('expected a configuration object')
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
}

export function commitmentOf(config: Config): Commitment {
  const { commitment = 'finalized' } = config
  if (commitment !== 'processed' && commitment !== 'confirmed' && commitment !== 'finalized')
    throw invalid('unknown commitment')
  return commitment
}

export function settledCommitmentOf(config: Config): SettledCommitment {
  const commitment = commitmentOf(config)
  if (commitment === 'processed')
    throw new RpcError(INVALID_PARAMS, 'Method does not support commitment below `confirmed`')
  return commitment
}

/** The slot that a node must have reached; null if the call names none. */
export function minContextSlotOf({ minContextSlot }: Config): bigint | null {
  return minContextSlot === undefined ? null : amountOf(minContextSlot)
}

/** A u64, as a JSON number or, if it may be large, as decimal text. */
export function amountOf(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^\d{1,19}$/.test(value)) return BigInt(value)
  throw invalid('expected an amount')
}

export function transactionOf(value: unknown, encoding: unknown = 'base58'): DecodedTransaction {
  if (typeof value !== 'string') throw invalid('expected an encoded transaction')
  try {
    return readTransaction(wireOf(value, encoding))
  } catch (error) {
    if (!(error instanceof MalformedTransaction)) throw error
    throw new RpcError(INVALID_PARAMS, `failed to deserialize transaction: ${error.message}`)
  }
}

function wireOf(text: string, encoding: unknown): Uint8Array {
  if (encoding === 'base64') {
    const wire = Buffer.from(text, 'base64')
    if (wire.toString('base64') !== text) throw new RpcError(INVALID_PARAMS, 'invalid base64 encoding')
    return wire
  }
  if (encoding !== 'base58') throw invalid('unsupported encoding')
  // Decoding base58 takes quadratic time, so the length is limited.
  if (text.length > 1_683) throw new RpcError(INVALID_PARAMS, 'base58 encoded transaction too large')
  try {
    return Uint8Array.from(getBase58Encoder().encode(text))
  } catch {
    throw new RpcError(INVALID_PARAMS, 'invalid base58 encoding')
  }
}
