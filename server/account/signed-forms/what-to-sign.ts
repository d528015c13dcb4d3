import type { Site } from '#server/platform/site.ts'
import { memoTransactionToSign } from './memo-transaction.ts'
import { signInInput } from './sign-in-input.ts'
import type { TextToSign } from './text-to-sign.ts'

/** What the browser asks for; without it, the message. */
export type RequestedForm = 'message' | 'sign-in' | 'transaction' | undefined

/** What a wallet needs to sign a text in the form that the browser asked for. */
export function whatToSign(site: Site, toSign: TextToSign, form: RequestedForm) {
  return {
    message: toSign.message,
    ...(form === 'sign-in' && { signIn: signInInput(site, toSign) }),
    ...(form === 'transaction' && { transaction: memoTransactionToSign(toSign) }),
  }
}
