import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { toWithdrawalView } from './read-withdrawals.ts'

test('a player sees no reason that this release has no sentence for', () => {
  const view = toWithdrawalView({
    id: '0198f1de-0000-7000-8000-000000000000',
    wallet: 'a wallet',
    deposited: cotton(2),
    earned: cotton(3),
    state: 'review',
    reason: null,
    reasons: ['large', 'of_another_release'],
    signature: null,
    requestedAt: new Date('2026-01-05T12:00:00.000Z'),
    settledAt: null,
    cancelledAt: null,
  })
  expect(view.reasons).toEqual(['large'])
})
