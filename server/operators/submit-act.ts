import { randomBytes } from 'node:crypto'
import {
  type Act,
  actText,
  findActProblem,
  isAct,
  LONGEST_ACT_LIFE_MS,
  numberedBy,
} from '#contract/console/acts.ts'
import { findSignedForm } from '#server/account/signed-forms/signed-forms.ts'
import type { TextToSign } from '#server/account/signed-forms/text-to-sign.ts'
import type { WalletAnswer } from '#server/account/signed-forms/verify-signed-text.ts'
import { canonicalBytes } from '#server/account/wallet-signature.ts'
import { LONGEST_NAME } from '#server/platform/db/bounded-name.ts'
import type { Queryable } from '#server/platform/db/db.ts'
import { insertAct } from './operator-acts.ts'
import { writeOperatorLog } from './operator-log.ts'
import { type ActContext, verifyAct } from './verify-act.ts'

/** Allows for the clocks of two machines. */
const MAX_CLOCK_SKEW_MS = 60_000

/** `number` is the one of `readNextNumber`. */
type Preparing = { operator: string; number: number | null; now: Date }

/** What an operator's wallet must sign to do this: valid until `expiresAt`, and only once. */
export function prepareAct({ site, treasury }: ActContext, act: Act, of: Preparing) {
  const nonce = randomBytes(16).toString('hex')
  const expiresAt = new Date(of.now.getTime() + LONGEST_ACT_LIFE_MS)
  const { operator, number } = of
  const toSign = actText(act, { ...site, treasury }, { operator, nonce, expiresAt, number })
  return { nonce, expiresAt, toSign }
}

/** What was signed, as the caller says. `act` is what the operator asks for, unchecked. */
type Claimed = { act: unknown; operator: string; message: string; now: Date }

type Rebuilt = {
  act: Act
  nonce: string
  expiresAt: Date
  number: number | null
  toSign: TextToSign
  problem: null
}

/**
 * Builds the message of an act again and compares it with the submitted one, of which only nonce, expiry and number are
 * used. The problem is a sentence.
 */
export function rebuildMessage(
  { site, treasury }: ActContext,
  { act, operator, message, now }: Claimed,
): Rebuilt | { problem: string } {
  if (!isAct(act))
    return { problem: `This is not an act of an operator: its ${findActProblem(act)} is not valid.` }
  const nonce = /^Nonce: ([0-9a-f]{32})$/m.exec(message)?.[1]
  const expiresAt = new Date(/^Expires: (\S+)$/m.exec(message)?.[1] ?? Number.NaN)
  if (nonce === undefined || Number.isNaN(expiresAt.getTime()))
    return { problem: 'The signed message names no nonce and expiry.' }
  if (expiresAt.getTime() > now.getTime() + LONGEST_ACT_LIFE_MS + MAX_CLOCK_SKEW_MS)
    return { problem: 'It expires more than 24 hours from now. Prepare it again and sign that.' }
  const signedNumber = /^Number: \D*([1-9]\d{0,8})\b/m.exec(message)?.[1]
  const number = signedNumber === undefined || numberedBy(act) === null ? null : Number(signedNumber)
  const toSign = actText(act, { ...site, treasury }, { operator, nonce, expiresAt, number })
  if (message !== toSign.message)
    return { problem: 'The signed message is not the one of this act. Prepare it again and sign that.' }
  return { act, nonce, expiresAt, number, toSign, problem: null }
}

/** A message that an operator's wallet has signed. */
export type SignedAct = Claimed & WalletAnswer

/** The nonce of the stored act, or why it was not stored, as a sentence. */
export type Submission = { nonce: string; problem: null } | { nonce: null; problem: string }

/**
 * Verifies a signed act and stores it for the signer, which verifies it again and executes it. Submitting the same
 * signature again stores nothing new. A refusal is logged. Needs `select` and `insert` on `operator_acts`, and `insert` on
 * `operator_log`.
 */
export async function submitAct(db: Queryable, context: ActContext, signed: SignedAct): Promise<Submission> {
  const { act, operator, now } = signed
  const submission = await storeVerified(db, context, signed)
  if (submission.problem !== null) {
    await writeOperatorLog(db, {
      who: context.operators.byWallet.get(operator)?.name ?? (operator.slice(0, LONGEST_NAME) || 'unknown'),
      now,
      command: isAct(act) ? act.kind : 'act',
      outcome: `Refused: ${submission.problem}`,
    })
  }
  return submission
}

async function storeVerified(db: Queryable, context: ActContext, signed: SignedAct): Promise<Submission> {
  const { operator, signature: encoded, signedMessage, now } = signed
  const refuse = (problem: string): Submission => ({ nonce: null, problem })
  const rebuilt = rebuildMessage(context, signed)
  if (rebuilt.problem !== null) return refuse(rebuilt.problem)
  const { act, nonce, expiresAt, number, toSign } = rebuilt
  const signature = canonicalBytes(encoded)
  const reported = signedMessage === undefined ? Buffer.from(toSign.message) : canonicalBytes(signedMessage)
  const signedForm = reported && findSignedForm(context.site, toSign, reported)
  if (signature?.length !== 64 || !signedForm) return refuse('The wallet signed something else.')
  const withdrawalId = 'withdrawalId' in act ? act.withdrawalId : null
  const stored = { nonce, operator, signature, signedForm, at: now, expiresAt, number, details: act }
  const { problem } = await verifyAct(context, { ...stored, kind: act.kind, withdrawalId }, now)
  if (problem !== null) return refuse(problem)
  return (await insertAct(db, stored))
    ? { nonce, problem: null }
    : refuse('This nonce was used already. Prepare the act again and sign that.')
}
