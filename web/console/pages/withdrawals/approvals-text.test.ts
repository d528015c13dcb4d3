import { expect, test } from 'vitest'
import { approvalsText } from './approvals-text.ts'

const ANA = { wallet: 'ana', name: 'Ana', at: '2026-01-05T12:00:00.000Z' }

test('approvals are counted while they decide, and not of a payout that was signed or needed none', () => {
  const of = (state: Parameters<typeof approvalsText>[0]['state'], approvals: (typeof ANA)[] = []) =>
    approvalsText({ state, needed: 2, approvals })
  expect(of('review')).toBe('0 of 2')
  expect(of('review', [ANA])).toBe('1 of 2')
  expect(of('approved', [ANA, { ...ANA, wallet: 'ben' }])).toBe('2 of 2')
  expect(of('approved')).toBe('–')
  for (const state of ['requested', 'signed', 'sent', 'finalized', 'refunded'] as const)
    expect([state, of(state), of(state, [ANA])]).toEqual([state, '–', '–'])
})
