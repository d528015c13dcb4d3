import {
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  type ReadonlyUint8Array,
  type Transaction,
} from '@solana/kit'
import type { Address, Signature } from './port.ts'

export type Message = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime

export type DecodedTransaction = {
  wire: Uint8Array
  transaction: Transaction
  message: Message
  /** The id of the transaction: its first signature. All zeros (`111…`) while it is unsigned. */
  signature: Signature
}

/** The largest transaction that fits a network packet (Solana: `PACKET_DATA_SIZE`). */
const MAX_WIRE_BYTES = 1232
/** One byte indexes the accounts of a message. */
const MAX_ACCOUNTS = 256
const SIGNATURE_BYTES = 64

export class MalformedTransaction extends Error {
  override readonly name = 'MalformedTransaction'
}

/**
 * Decodes the wire bytes of a legacy or version 0 transaction. Throws `MalformedTransaction` if it does not encode back to
 * the same bytes or a node's sanitizer would refuse it, so that every reader interprets it in the same way.
 */
export function readTransaction(wire: Uint8Array): DecodedTransaction {
  if (wire.length > MAX_WIRE_BYTES)
    throw new MalformedTransaction(`too large: ${wire.length} bytes (max: ${MAX_WIRE_BYTES} bytes)`)
  const { transaction, message } = decode(wire)
  checkShape(message)
  const signatures = Object.values(transaction.signatures)
  if (signatures.length !== message.header.numSignerAccounts)
    throw new MalformedTransaction('number of signatures')
  const first = signatures[0] ?? new Uint8Array(SIGNATURE_BYTES)
  return { wire, transaction, message, signature: getBase58Decoder().decode(first) as Signature }
}

export type SignedTransfer = {
  message: ReadonlyUint8Array
  signer: Address
  /** Unverified; null if the wallet did not sign. */
  signature: ReadonlyUint8Array | null
  id: Signature
}

/**
 * Reads a transfer that a wallet has returned: the signed bytes and the signer.
 * The caller compares `message` with the bytes that were built and verifies the signature over them.
 * Null if the text is not base64 of a well-formed transaction with exactly one signer.
 */
export function readTransfer(wireBase64: string): SignedTransfer | null {
  const wire = Buffer.from(wireBase64, 'base64')
  if (wire.toString('base64') !== wireBase64) return null
  try {
    const { transaction, message, signature } = readTransaction(wire)
    const signers = Object.entries(transaction.signatures) as [Address, ReadonlyUint8Array | null][]
    const [only, ...others] = signers
    if (only === undefined || others.length > 0 || message.staticAccounts[0] !== only[0]) return null
    return { message: transaction.messageBytes, signer: only[0], signature: only[1], id: signature }
  } catch (error) {
    if (error instanceof MalformedTransaction) return null
    throw error
  }
}

function decode(wire: Uint8Array): { transaction: Transaction; message: Message } {
  try {
    const transaction = getTransactionDecoder().decode(wire)
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    if (message.version !== 'legacy' && message.version !== 0)
      throw new MalformedTransaction(`version ${message.version} is not supported`)
    const sameMessage = isSame(
      getCompiledTransactionMessageEncoder().encode(message),
      transaction.messageBytes,
    )
    if (!sameMessage || !isSame(getTransactionEncoder().encode(transaction), wire))
      throw new MalformedTransaction('not the canonical encoding')
    return { transaction, message: message as Message }
  } catch (error) {
    if (error instanceof MalformedTransaction) throw error
    throw new MalformedTransaction('cannot be decoded', { cause: error })
  }
}

function isSame(a: ReadonlyUint8Array, b: ReadonlyUint8Array): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0
}

/** The rules of the node's sanitizer (Solana: `Message::sanitize`). */
function checkShape(message: Message): void {
  const { header, staticAccounts, instructions } = message
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : []
  const loaded = lookups.map((lookup) => lookup.writableIndexes.length + lookup.readonlyIndexes.length)
  const accounts = staticAccounts.length + loaded.reduce((sum, count) => sum + count, 0)
  const ok =
    header.numSignerAccounts + header.numReadonlyNonSignerAccounts <= staticAccounts.length &&
    // The fee payer signs and is writable.
    header.numReadonlySignerAccounts < header.numSignerAccounts &&
    loaded.every((count) => count > 0) &&
    accounts <= MAX_ACCOUNTS &&
    instructions.every(
      (instruction) =>
        instruction.programAddressIndex > 0 &&
        instruction.programAddressIndex < staticAccounts.length &&
        (instruction.accountIndices ?? []).every((index) => index < accounts),
    )
  if (!ok) throw new MalformedTransaction('accounts or indexes out of bounds')
}
