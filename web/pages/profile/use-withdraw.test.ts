import '#web/api/browser-stub.ts'
import { expect, test } from 'vitest'
import { parseCallError } from '#web/api/call-error.ts'
import { withdrawalMessages } from '#web/messages/en-withdrawals.ts'
import { describeFailure } from './use-withdraw.ts'

test('a withdrawal whose signature is wrong says that nothing was requested, others say what the server says', () => {
  const refused = (code: string, message: string) => parseCallError(401, { success: false, code, message })
  expect(describeFailure(refused('signature_failed', 'Signature verification failed'))).toBe(
    withdrawalMessages.signFailed,
  )
  expect(describeFailure(refused('login_expired', 'It has expired.'))).toBe('It has expired.')
  expect(describeFailure(new Error('No code.'))).toBe(withdrawalMessages.failed)
})
