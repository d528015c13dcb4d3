import * as z from 'zod/mini'
import { formatCount, fromWire, LARGEST_REQUEST } from '#game/cotton.ts'
import { WORKER_TYPES } from '#game/workers.ts'

/** A Solana address in base58. Code that uses it checks that it decodes to 32 bytes and is a key. */
export const Wallet = z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'is not a wallet address'))

/** A transaction signature in base58. */
export const TransactionSignature = z
  .string()
  .check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'is not a signature'))

declare const wire: unique symbol

/**
 * An amount of $COTTON as a JSON number. Any number may be one; the mark lets the browser's types distinguish amounts from
 * counts (`Amounts` in web/api/amounts.ts).
 */
export type WireAmount = number & { readonly [wire]?: 'cotton' }

/** Whether a type is a `WireAmount`. A plain number is assignable to it, so only the key of the mark can distinguish them. */
export type IsWireAmount<T> = typeof wire extends keyof T ? true : false

/** Why a number of a request is not an amount. */
export const NO_AMOUNT = 'must be above 0, with at most 6 decimals'

/** An amount of $COTTON that a request names: above 0, at most 6 decimals. The handler converts it to base units. */
export const AmountInRequest: z.ZodMiniType<WireAmount, WireAmount> = z.number().check(
  z.maximum(LARGEST_REQUEST, `must be at most ${formatCount(LARGEST_REQUEST)}`),
  z.refine((amount) => amount > LARGEST_REQUEST || fromWire(amount) !== null, NO_AMOUNT),
)

/** An amount of $COTTON in a response (design §5). */
export const CottonOnWire: z.ZodMiniType<WireAmount, WireAmount> = z.number()

export const WorkerTypeName = z.enum(WORKER_TYPES)

/** `kid-0042`: a worker type and a number. */
export const WorkerId = z
  .string()
  .check(z.regex(new RegExp(`^(${WORKER_TYPES.join('|')})-\\d{4,8}$`), 'is not a worker id'))

/** An instant, ISO 8601 with milliseconds, UTC. */
export const Instant = z.iso.datetime({ precision: 3 })

/** A UTC day, ISO 8601. */
export const Day = z.iso
  .date()
  .check(z.refine((day) => day >= '2020-01-01' && day < '2200', 'is out of range'))

export const Success = z.literal(true)
