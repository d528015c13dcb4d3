import * as z from 'zod/mini'
import { Instant, Wallet } from '#contract/values.ts'
import { read } from './route.ts'
import { Cursor, pageOf } from './values.ts'

/** pending: not final yet, or waiting for a second node. uncredited: will not be credited. unassigned: those of no player. */
export const DepositView = z.enum(['pending', 'credited', 'uncredited', 'unassigned'])

export const Deposit = z.object({
  signature: z.string(),
  tokenAccount: z.string(),
  /** Null if the address was not assigned to a player. */
  wallet: z.nullable(Wallet),
  asset: z.enum(['cotton', 'sol', 'other_token']),
  mint: z.nullable(z.string()),
  /** $COTTON and SOL as decimal text; another token in its base units. */
  amount: z.string(),
  state: z.enum(['pending', 'credited', 'unclaimed', 'dropped']),
  /** What it waits for, or why it is not credited: a code, and a sentence for operators. */
  why: z.nullable(z.object({ code: z.string(), sentence: z.string() })),
  slot: z.int(),
  seenAt: Instant,
  creditedAt: z.nullable(Instant),
  journalId: z.nullable(z.string()),
})

export const listDeposits = read('/api/console/deposits', {
  summary: 'What arrived at deposit addresses, newest first. With a wallet: everything that arrived for it.',
  right: 'view',
  query: z.strictObject({
    view: DepositView,
    wallet: z.optional(Wallet),
    cursor: z.optional(Cursor),
  }),
  reply: pageOf(Deposit),
})
