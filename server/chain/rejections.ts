import {
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__INSTRUCTION_ERROR__INSUFFICIENT_FUNDS,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_LEN_MISMATCH,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
  SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__SIGNATURE_FAILURE,
} from '@solana/kit'
import type { RejectReason } from './port.ts'

const REASONS = [
  [SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED, 'already_processed'],
  [SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND, 'lifetime_over'],
  [SOLANA_ERROR__TRANSACTION_ERROR__SIGNATURE_FAILURE, 'bad_signature'],
  [SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE, 'malformed'],
  [SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND, 'insufficient_funds'],
  [SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE, 'insufficient_funds'],
  [SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT, 'insufficient_funds'],
  [SOLANA_ERROR__INSTRUCTION_ERROR__INSUFFICIENT_FUNDS, 'insufficient_funds'],
  [SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE, 'bad_signature'],
  [SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_LEN_MISMATCH, 'malformed'],
  [SOLANA_ERROR__JSON_RPC__INVALID_PARAMS, 'malformed'],
] as const

/** Custom error 1 is "insufficient funds" in the token program and in the system program alike. */
const CUSTOM_INSUFFICIENT_FUNDS = 1

export type Rejection = { reason: RejectReason; detail: string }

/** Why a node refuses a transaction; null if the error is not about the transaction. */
export function rejectionOf(error: unknown): Rejection | null {
  if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)) {
    return transactionRejection(error.cause)
  }
  const reason = reasonOf(error)
  return reason === null || !(error instanceof Error) ? null : { reason, detail: error.message }
}

function transactionRejection(error: unknown): Rejection {
  const detail = error instanceof Error ? error.message : String(error)
  if (isSolanaError(error, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)) {
    const short = Number(error.context.code) === CUSTOM_INSUFFICIENT_FUNDS
    return { reason: short ? 'insufficient_funds' : 'failed', detail }
  }
  return { reason: reasonOf(error) ?? 'failed', detail }
}

function reasonOf(error: unknown): RejectReason | null {
  return REASONS.find(([code]) => isSolanaError(error, code))?.[1] ?? null
}
