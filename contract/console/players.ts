import * as z from 'zod/mini'
import { Session } from '#contract/sessions.ts'
import { Instant, Success, Wallet, WorkerTypeName } from '#contract/values.ts'
import { act, read } from './route.ts'
import { Cursor, Exact, pageOf, Reason } from './values.ts'

/** Why and since when a wallet cannot move value. */
const Freeze = z.object({ id: z.string(), reason: z.string(), since: Instant, by: z.string() })

export const PlayerFacts = z.object({
  wallet: Wallet,
  createdAt: z.nullable(Instant),
  deposited: Exact,
  earned: Exact,
  /** Held for open withdrawals. */
  held: Exact,
  frozen: z.nullable(Freeze),
  openWithdrawals: z.int(),
})

export const listPlayers = read('/api/console/players', {
  summary: 'Players by wallet, whose addresses begin with `search`, in the order of their addresses.',
  right: 'view',
  query: z.strictObject({
    search: z.optional(
      z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{1,44}$/, 'is not the start of a wallet')),
    ),
    cursor: z.optional(Cursor),
  }),
  reply: pageOf(
    z.object({
      wallet: Wallet,
      createdAt: Instant,
      deposited: Exact,
      earned: Exact,
      frozen: z.boolean(),
    }),
  ),
})

/** How many sessions of a player are listed. */
export const MOST_SESSIONS = 50

export const readPlayer = read('/api/console/player', {
  summary: 'What is known of one player.',
  right: 'view',
  query: z.strictObject({ wallet: Wallet }),
  reply: z.object({
    player: PlayerFacts,
    depositAddress: z.nullable(z.string()),
    /** The player's own lock of withdrawals, in hours. 0 for none. */
    lockHours: z.int(),
    workers: z.array(
      z.object({
        type: WorkerTypeName,
        count: z.int(),
        ratePerHour: z.int(),
        claimed: Exact,
        unclaimed: Exact,
      }),
    ),
    /** Whether there are more workers than the 10,000 that are summed. */
    moreWorkers: z.boolean(),
    /** The newest 200 parcels, and how many there are. */
    land: z.array(z.object({ parcelId: z.string(), name: z.string(), boughtAt: Instant, pricePaid: Exact })),
    parcels: z.int(),
    /** The newest, at most `MOST_SESSIONS`. */
    sessions: z.array(z.omit(Session, { current: true })),
  }),
  refuses: ['player_not_found'],
})

export const endPlayerSessions = act('/api/console/players/end-sessions', {
  summary: 'Logs a player out everywhere.',
  right: 'decide',
  body: z.strictObject({ wallet: Wallet, reason: Reason }),
  reply: z.object({ success: Success, outcome: z.string(), ended: z.int() }),
})

export const freezePlayer = act('/api/console/players/freeze', {
  summary:
    'Freezes a wallet: its player can log in and read, and cannot move value. The player reads the reason. To unfreeze is a signed act.',
  right: 'decide',
  body: z.strictObject({ wallet: Wallet, reason: Reason }),
  reply: z.object({ success: Success, outcome: z.string() }),
  refuses: ['already_done'],
})
