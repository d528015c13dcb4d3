import { expect, test } from 'vitest'
import { decisionRefusals } from './decision-refusals.ts'

test('a withdrawal is approved in review only, and can be rejected until it is signed', () => {
  const states = ['requested', 'review', 'approved', 'signed', 'sent', 'finalized', 'refunded'] as const
  const possible = (act: 'approve' | 'reject') =>
    states.filter((state) => decisionRefusals({ state, cancelledAt: null })[act] === null)
  expect(possible('approve')).toEqual(['review'])
  expect(possible('reject')).toEqual(['requested', 'review', 'approved'])
  expect(decisionRefusals({ state: 'sent', cancelledAt: null })).toEqual({
    approve: 'It is sent, so there is nothing to approve.',
    reject: 'It is sent, so it can no longer be rejected.',
  })
})

test('what its player has cancelled is not approved, and can be rejected', () => {
  expect(decisionRefusals({ state: 'review', cancelledAt: '2026-01-05T12:00:00.000Z' })).toEqual({
    approve: 'Its player has cancelled it, so there is nothing to approve.',
    reject: null,
  })
})
