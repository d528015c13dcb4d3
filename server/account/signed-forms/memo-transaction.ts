import {
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import { type TextToSign, toOneLine } from './text-to-sign.ts'

/**
 * 32 bytes that are not the hash of any block, because nobody can find a block that hashes to a given text. No node accepts
 * a transaction with them.
 */
const NEVER_A_BLOCKHASH = 'this transaction must never land'

const UNITS = 100_000

/**
 * A transaction that carries the text, for wallets that sign transactions only. It is signed and never sent, and it
 * could not land: its blockhash is none. The memo is the first instruction, so the blockhash is not a durable nonce either.
 * The compute budget is set because wallets add one to transactions without.
 */
export function memoTransaction(toSign: TextToSign): ReturnType<typeof compileTransaction> {
  const wallet = createNoopSigner(address(toSign.wallet))
  const lifetime = {
    blockhash: blockhash(getBase58Decoder().decode(Buffer.from(NEVER_A_BLOCKHASH))),
    lastValidBlockHeight: 0n,
  }
  const instructions = [
    getAddMemoInstruction(
      { memo: toOneLine(toSign), signers: [wallet] },
      { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 },
    ),
    getSetComputeUnitLimitInstruction({ units: UNITS }),
    getSetComputeUnitPriceInstruction({ microLamports: 1 }),
  ]
  return compileTransaction(
    pipe(
      createTransactionMessage({ version: 'legacy' }),
      (message) => setTransactionMessageFeePayerSigner(wallet, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  )
}

/** Base64 of the unsigned transaction, for the wallet. */
export const memoTransactionToSign = (toSign: TextToSign): string =>
  getBase64EncodedWireTransaction(memoTransaction(toSign))
