import * as z from 'zod/mini'
import { fromWire, LARGEST_REQUEST, formatCotton } from '#game/cotton.ts'
import { WORKER_TYPES } from '#game/workers.ts'

/** A Solana address in base58. That it is 32 bytes, and a key, is checked where it is used. */
export const Wallet = z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'is not a wallet address'))

/** A transaction signature in base58. */
export const TransactionSignature = z
  .string()
  .check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'is not a signature'))

const NO_AMOUNT = 'must be above 0, with at most 6 decimals'

/** An amount of $COTTON that a request names: above 0, at most 6 decimals. Parsed to base units at the edge. */
export const AmountInRequest = z.number().check(
  z.maximum(LARGEST_REQUEST, `must be at most ${formatCotton(LARGEST_REQUEST)}`),
  z.refine((amount) => amount > LARGEST_REQUEST || fromWire(amount) !== null, NO_AMOUNT),
)

/** An amount of $COTTON in an answer (design §5). */
export const CottonOnWire = z.number()

export const WorkerTypeName = z.enum(WORKER_TYPES)

/** `kid-0042`. */
export const WorkerId = z.string().check(z.regex(/^[a-z]{3,8}-\d{4,8}$/, 'is not a worker id'))

/** An instant, ISO 8601 with milliseconds, UTC. */
export const Instant = z.iso.datetime({ precision: 3 })

export const Success = z.literal(true)
