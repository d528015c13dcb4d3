import * as z from 'zod/mini'
import { get, post } from './route.ts'
import { RequestedForm, SentMessage, SignedMessage, ToSign, WalletSignature } from './signed-forms.ts'
import { CottonOnWire, Instant, Success, Wallet } from './values.ts'

export const requestNonce = post('/api/users/nonce', {
  summary: 'A single-use message for the wallet to sign. It is valid for 5 minutes.',
  rateClass: 'login',
  body: z.strictObject({ walletAddress: Wallet, form: RequestedForm }),
  reply: z.object({ success: Success, nonce: z.string(), ...ToSign }),
})

export const verifyWallet = post('/api/users/verify-wallet', {
  summary: 'Exchanges the signed message for a session token.',
  rateClass: 'login',
  body: z.strictObject({
    signature: WalletSignature,
    message: SentMessage,
    walletAddress: Wallet,
    signedMessage: SignedMessage,
  }),
  reply: z.object({ success: Success, token: z.string(), message: z.string() }),
  refuses: ['signature_failed', 'signed_form_unknown', 'login_expired'],
})

export const logout = post('/api/users/logout', {
  summary: 'Ends this session.',
  auth: 'player',
  reply: z.object({ success: Success }),
})

export const readUser = get('/api/users/wallet/:address', {
  summary:
    'A wallet and its balance; an unknown wallet has 0. The operator may keep balances private, or freeze a wallet.',
  auth: 'either',
  params: z.strictObject({ address: Wallet }),
  reply: z.object({
    walletAddress: Wallet,
    creditBalance: CottonOnWire,
    /** Why the operator has frozen it; null if it is not frozen. Others than its player always read null. */
    frozen: z.nullable(z.object({ reason: z.string(), since: Instant })),
  }),
  refuses: ['wallet_of_another'],
})
