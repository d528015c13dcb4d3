import * as z from 'zod/mini'
import { RequestedForm, SentMessage, SignedMessage, ToSign, WalletSignature } from '#contract/signed-forms.ts'
import { Instant, Success } from '#contract/values.ts'
import { Act } from './act-schema.ts'
import { act, read } from './route.ts'
import { Cursor, pageOf } from './values.ts'

/** A signed act as it is stored. */
export const StoredAct = z.object({
  nonce: z.string(),
  kind: z.string(),
  withdrawalId: z.nullable(z.string()),
  /** The operator's wallet, and the name in the operators' file; empty if it is no longer named there. */
  operator: z.string(),
  name: z.string(),
  at: Instant,
  expiresAt: Instant,
  state: z.enum(['waiting', 'done', 'refused']),
  /** What became of it, or, while it waits, why the signer could not execute it yet; null before the signer has tried. */
  outcome: z.nullable(z.string()),
  doneAt: z.nullable(Instant),
  /** What was signed, as JSON text. */
  details: z.string(),
})

export const listActs = read('/api/console/acts', {
  summary: 'Signed acts, newest first.',
  right: 'view',
  query: z.strictObject({
    state: z.optional(z.enum(['waiting', 'done', 'refused'])),
    cursor: z.optional(Cursor),
  }),
  reply: pageOf(StoredAct),
})

export const readAct = read('/api/console/act', {
  summary: 'One signed act: whether the signer has executed it.',
  right: 'view',
  query: z.strictObject({ nonce: z.string().check(z.regex(/^[0-9a-f]{32}$/, 'is not a nonce')) }),
  reply: z.object({ act: StoredAct }),
  refuses: ['act_not_found'],
})

export const prepareAct = act('/api/console/acts/prepare', {
  summary: 'The readable message of an act, for the operator’s wallet to sign. Nothing is stored.',
  right: 'by_act',
  body: z.strictObject({ act: Act, form: RequestedForm }),
  reply: z.object({
    success: Success,
    nonce: z.string(),
    expiresAt: Instant,
    /** A sentence about the act that waits for the signer with the same number. Only one of the two is done. */
    waiting: z.nullable(z.string()),
    ...ToSign,
  }),
  refuses: ['act_refused'],
})

export const submitAct = act('/api/console/acts/submit', {
  summary: 'Submits a signed act. The signer verifies it again and executes it in its next round.',
  right: 'by_act',
  body: z.strictObject({
    act: Act,
    message: SentMessage,
    signature: WalletSignature,
    signedMessage: SignedMessage,
  }),
  reply: z.object({ success: Success, nonce: z.string(), state: z.enum(['waiting', 'done', 'refused']) }),
  refuses: ['act_refused', 'unknown_outcome'],
})
