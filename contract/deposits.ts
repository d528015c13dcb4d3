import * as z from 'zod/mini'
import { get, post } from './route.ts'
import { AmountInRequest, CottonOnWire, Instant, Success, TransactionSignature, Wallet } from './values.ts'

export const readDepositAddress = get('/api/users/deposit-address', {
  summary: 'Your deposit address. It is an owner address, to which a wallet sends $COTTON.',
  auth: 'player',
  // Each new wallet uses up a free address.
  rateClass: 'chain',
  reply: z.object({ success: Success, depositWallet: Wallet }),
})

export const checkDeposit = get('/api/users/check-deposit', {
  summary: 'Checks for your deposits now, and returns what was credited since your last check.',
  auth: 'player',
  rateClass: 'chain',
  reply: z.object({
    success: Success,
    newDeposit: z.boolean(),
    /** Credited since the last check, by this call or by the watcher. Of very many deposits, later calls return the rest. */
    amount: CottonOnWire,
    newBalance: CottonOnWire,
    /** On the chain, but not finalized yet. */
    pending: CottonOnWire,
  }),
  refuses: ['chain_unreachable'],
})

export const readWalletBalance = get('/api/deposits/wallet-balance', {
  summary: 'The $COTTON in your wallet on the chain, which you could deposit.',
  auth: 'player',
  rateClass: 'chain',
  reply: z.object({ success: Success, amount: CottonOnWire }),
  refuses: ['chain_unreachable'],
})

export const prepareDeposit = post('/api/deposits/transaction', {
  summary: 'An unsigned transfer from your wallet to your deposit address, for the wallet to sign.',
  auth: 'player',
  rateClass: 'chain',
  body: z.strictObject({ amount: AmountInRequest }),
  reply: z.object({ success: Success, transaction: z.base64(), depositWallet: Wallet }),
  refuses: ['chain_unreachable'],
})

export const submitDeposit = post('/api/deposits/submit', {
  summary: 'Sends the transfer that was prepared for this session and that your wallet has signed.',
  auth: 'player',
  rateClass: 'chain',
  body: z.strictObject({ transaction: z.base64().check(z.maxLength(2_000)) }),
  reply: z.object({ success: Success, signature: TransactionSignature }),
  refuses: ['transaction_not_ours', 'transaction_rejected', 'signature_failed', 'chain_unreachable'],
})

/** A receipt: its signature, token account and asset. One transaction can bring several. */
const ReceiptId = z
  .string()
  .check(
    z.regex(
      /^[1-9A-HJ-NP-Za-km-z]{64,88}\.[1-9A-HJ-NP-Za-km-z]{32,44}\.(cotton|sol|other_token)$/,
      'is not a receipt',
    ),
  )

export const readDeposits = get('/api/deposits', {
  summary:
    'Transfers to your deposit address that are not credited: pending, or unclaimed and why. Newest first, in pages of 100.',
  auth: 'player',
  query: z.strictObject({ before: z.optional(ReceiptId) }),
  reply: z.object({
    success: Success,
    items: z.array(
      z.object({
        signature: TransactionSignature,
        asset: z.enum(['cotton', 'sol', 'other_token']),
        /** Of another token; null for $COTTON and SOL. */
        mint: z.nullable(Wallet),
        /** A decimal integer in the smallest unit: base units of $COTTON, lamports, or units of that mint. */
        amount: z.string(),
        state: z.enum(['pending', 'unclaimed']),
        /** A sentence for the player: what it waits for apart from finality, or why it is not credited. */
        why: z.nullable(z.string()),
        at: Instant,
      }),
    ),
    /** Pass it as `before` to get the next page. Null on the last page. */
    next: z.nullable(z.string()),
  }),
})

export const useFaucet = post('/api/local/faucet', {
  summary: 'Sends 1 SOL and 1,000,000 test $COTTON to a wallet. Local chain only.',
  rateClass: 'chain',
  localOnly: true,
  body: z.strictObject({ walletAddress: Wallet }),
  reply: z.object({ success: Success, signatures: z.array(TransactionSignature), amount: CottonOnWire }),
  refuses: ['chain_unreachable'],
})
