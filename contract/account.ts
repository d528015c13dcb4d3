import * as z from 'zod/mini'
import { get, post } from './route.ts'
import { CottonOnWire, Instant, Success, TransactionSignature, Wallet } from './values.ts'

/** Base64 of 64 signature bytes, canonical: anything else is refused before it is decoded. */
const Signature = z.string().check(z.regex(/^[A-Za-z0-9+/]{86}==$/, 'is not a base64 signature'))

export const requestNonce = post('/api/users/nonce', {
  summary: 'A single-use message for the wallet to sign; good for 5 minutes.',
  pace: 'login',
  body: z.strictObject({ walletAddress: Wallet }),
  reply: z.object({ success: Success, nonce: z.string(), message: z.string() }),
  refuses: ['signature_failed'],
})

export const verifyWallet = post('/api/users/verify-wallet', {
  summary: 'The signed message for a session token.',
  pace: 'login',
  body: z.strictObject({
    signature: Signature,
    message: z.string().check(z.maxLength(1_000)),
    walletAddress: Wallet,
  }),
  reply: z.object({ success: Success, token: z.string(), message: z.string() }),
  refuses: ['signature_failed', 'login_expired'],
})

export const logout = post('/api/users/logout', {
  summary: 'Ends this session everywhere.',
  auth: 'player',
  reply: z.object({ success: Success }),
})

export const readUser = get('/api/users/wallet/:address', {
  summary: 'A wallet and its balance; an unknown wallet has 0. The operator may keep balances private.',
  auth: 'either',
  params: z.strictObject({ address: Wallet }),
  reply: z.object({ walletAddress: Wallet, creditBalance: CottonOnWire }),
  refuses: ['wallet_of_another'],
})

/** Why a balance moved. */
export const MoveKind = z.enum([
  'deposit',
  'claim',
  'hire',
  'parcel',
  'resale',
  'withdrawal',
  'refund',
  'adjustment',
])

export const HistoryItem = z.object({
  id: z.string(),
  kind: MoveKind,
  /** What it did to the player's balance; negative when it went down. */
  amount: CottonOnWire,
  at: Instant,
  /** What it was for, in the kind's own words: worker ids, a transaction signature, a withdrawal id. */
  detail: z.record(z.string(), z.union([z.string(), z.number()])),
})

export const readHistory = get('/api/users/history', {
  summary: 'Every movement of your balance, newest first; deposits on their way stand apart.',
  auth: 'player',
  query: z.strictObject({
    before: z.optional(z.uuid()),
    limit: z.optional(z.string().check(z.regex(/^([1-9]\d?|100)$/, 'must be 1 to 100'))),
  }),
  reply: z.object({
    success: Success,
    items: z.array(HistoryItem),
    /** Give it as `before` for the page that follows; null at the end. */
    next: z.nullable(z.string()),
    pending: z.array(z.object({ signature: TransactionSignature, amount: CottonOnWire, at: Instant })),
  }),
})

export const readLastSeen = get('/api/users/last-seen', {
  summary: 'When another session of yours was last seen, to a minute; null where there never was one.',
  auth: 'player',
  reply: z.object({ success: Success, elsewhereAt: z.nullable(Instant) }),
})
