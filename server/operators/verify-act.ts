import {
  type Act,
  ACT_RIGHTS,
  actText,
  findActProblem,
  isAct,
  LONGEST_ACT_LIFE_MS,
  numberedBy,
} from '#contract/console/acts.ts'
import { isSignedAs } from '#server/account/signed-forms/signed-forms.ts'
import type { Site } from '#server/platform/site.ts'
import type { StoredAct } from './operator-acts.ts'
import { findOperator, type Operator, type Operators } from './read-operators.ts'

/** Where acts are valid, and who may sign them. */
export type ActContext = {
  site: Site
  /** The address of the signer's treasury. */
  treasury: string
  operators: Operators
}

export type VerifiedAct = { act: Act; operator: Operator; problem: null }
type FaultyAct = { act: null; operator: null; problem: string }

/** Twice the life of an act, because clocks differ and are set back. Whoever submits one allows much less. */
const FURTHEST_EXPIRY_MS = 2 * LONGEST_ACT_LIFE_MS

const fault = (problem: string): FaultyAct => ({ act: null, operator: null, problem })

/**
 * Verifies a stored act: its form, that it is valid at `now` and for two days at most, that the wallet belongs to an
 * operator with the right, and that the wallet signed exactly this act for this host and treasury. The problem is a
 * sentence.
 */
export async function verifyAct(
  { site, treasury, operators }: ActContext,
  stored: StoredAct,
  now: Date,
): Promise<VerifiedAct | FaultyAct> {
  const { details, kind, withdrawalId, nonce, expiresAt, signature, signedForm, number } = stored
  if (!isAct(details)) return fault(explainDamage(details))
  const ownId = 'withdrawalId' in details ? details.withdrawalId : null
  // Two acts without a number of their own must not collide by numbers that nobody has signed.
  const hasOthersNumber = number !== null && numberedBy(details) === null
  if (details.kind !== kind || ownId !== withdrawalId || hasOthersNumber)
    return fault('The act is damaged: its row is forged.')
  if (!(expiresAt > now)) return fault(`It expired at ${expiresAt.toISOString()}. Sign it again.`)
  if (expiresAt.getTime() - now.getTime() > FURTHEST_EXPIRY_MS)
    return fault(`It is valid until ${expiresAt.toISOString()}, longer than two days. Sign another one.`)
  const operator = findOperator(operators, stored.operator, ACT_RIGHTS[kind])
  if (!operator) return fault(explainMissing(operators, stored.operator, details))
  const signing = { operator: stored.operator, nonce, expiresAt, number }
  const toSign = actText(details, { ...site, treasury }, signing)
  if (!(await isSignedAs(site, toSign, { form: signedForm, signature })))
    return fault(`The wallet ${stored.operator} has not signed this for this game.`)
  return { act: details, operator, problem: null }
}

function explainDamage(details: unknown): string {
  const problem = findActProblem(details)
  return problem === 'pauseId' || problem === 'freezeId'
    ? 'It does not name the pause or freeze that it lifts. Acts of earlier versions did not: sign it again.'
    : `The act is damaged: its ${problem} is not valid.`
}

function explainMissing(operators: Operators, wallet: string, act: Act): string {
  if (operators.problem !== null) return operators.problem
  const operator = operators.byWallet.get(wallet)
  return operator
    ? `${operator.name} does not have the right ${ACT_RIGHTS[act.kind]}.`
    : `The wallet ${wallet} does not belong to an operator.`
}
