import type { Site } from '#server/platform/site.ts'
import { memoTransactionToSign } from './memo-transaction.ts'
import { signInInput } from './sign-in-input.ts'
import type { Statement } from './statement.ts'

/** What the browser asks for; without it, the message. */
export type RequestedForm = 'message' | 'sign-in' | 'transaction' | undefined

/** What a wallet needs to sign a statement in the form that the browser asked for. */
export function whatToSign(site: Site, statement: Statement, form: RequestedForm) {
  return {
    message: statement.message,
    ...(form === 'sign-in' && { signIn: signInInput(site, statement) }),
    ...(form === 'transaction' && { transaction: memoTransactionToSign(statement) }),
  }
}
