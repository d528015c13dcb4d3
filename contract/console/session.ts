import * as z from 'zod/mini'
import { RequestedForm, SentMessage, SignedMessage, ToSign, WalletSignature } from '#contract/signed-forms.ts'
import { Instant, Success, Wallet } from '#contract/values.ts'
import { RIGHTS } from './rights.ts'
import { act, read } from './route.ts'

/** An operator as the operators' file names them. */
export const Operator = z.object({ wallet: Wallet, name: z.string(), rights: z.array(z.enum(RIGHTS)) })

const Session = {
  operator: Operator,
  /** When the session ends however much it is used: eight hours after the login. */
  endsAt: Instant,
  /** When it ends if nothing is called until then. Calls of `readLive` do not count. */
  idleAt: Instant,
}

export const readGame = read('/api/console/game', {
  summary: 'The game that this console belongs to.',
  right: 'nobody',
  query: z.strictObject({}),
  reply: z.object({
    product: z.string(),
    /** The origin that players open. */
    url: z.string(),
    cluster: z.string(),
    /** The release of this program. */
    version: z.string(),
  }),
})

export const requestLogin = act('/api/console/nonce', {
  summary: 'A single-use message for the operator’s wallet to sign. It is valid for 5 minutes.',
  right: 'nobody',
  rateClass: 'login',
  body: z.strictObject({ wallet: Wallet, form: RequestedForm }),
  reply: z.object({ success: Success, ...ToSign }),
})

export const logIn = act('/api/console/login', {
  summary:
    'Exchanges the signed message for a session token. The pages keep it in memory or in sessionStorage.',
  right: 'nobody',
  rateClass: 'login',
  body: z.strictObject({
    wallet: Wallet,
    message: SentMessage,
    signature: WalletSignature,
    signedMessage: SignedMessage,
  }),
  reply: z.object({ success: Success, token: z.string(), ...Session }),
  refuses: ['signature_failed', 'signed_form_unknown', 'login_expired', 'not_an_operator'],
})

export const logOut = act('/api/console/logout', {
  summary: 'Ends this session.',
  right: 'view',
  body: z.strictObject({}),
  reply: z.object({ success: Success }),
})

export const readSession = read('/api/console/session', {
  summary: 'The operator of this session, and what every signed act names.',
  right: 'view',
  query: z.strictObject({}),
  reply: z.object({
    ...Session,
    /** The treasury of the signer. Null until the signer has started once. */
    world: z.nullable(z.string()),
    /** Above this amount two different operators must approve a withdrawal. */
    secondAbove: z.string(),
  }),
})
