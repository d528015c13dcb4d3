import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { refusalBody } from '#contract/refusals.ts'
import { parseCallError } from '#web/api/call-error.ts'
import { profileMessages } from '#web/messages/en-profile.ts'
import { DepositAddress } from './deposit-address.tsx'

const read = vi.hoisted(() => ({ error: new Error('not read yet') }))

vi.mock('./use-deposit-address.ts', () => ({
  useDepositAddress: () => ({ data: undefined, isError: true, error: read.error, refetch: vi.fn() }),
}))

function renderAfter(error: Error): string {
  read.error = error
  return renderToStaticMarkup(<DepositAddress onClose={vi.fn()} />)
}

test('a refused deposit address says why, and when the player can try again', () => {
  const refusal = refusalBody({ code: 'too_many_requests', facts: { seconds: 480 } })
  expect(renderAfter(parseCallError(429, refusal))).toContain('Too many requests. Please wait 480 s.')
  expect(renderAfter(new Error('no answer'))).toContain(profileMessages.addressFailed)
})
