import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { cotton, ZERO } from '#game/cotton.ts'
import { historyMessages } from '#web/messages/en-history.ts'
import type { WithdrawalFacts } from './use-withdrawals.ts'
import { WithdrawalList } from './withdrawal-list.tsx'

const WITHDRAWAL: WithdrawalFacts = {
  id: 'w',
  amount: cotton(5),
  deposited: cotton(5),
  earned: ZERO,
  state: 'sent',
  reason: null,
  reasons: [],
  signature: null,
  requestedAt: '2026-11-20T09:12:00.000Z',
  settledAt: null,
  cancelledAt: null,
}

const read = vi.hoisted(() => ({ withdrawals: [] as unknown[], hasNextPage: false }))

vi.mock('./use-withdrawals.ts', () => ({
  useWithdrawals: () => ({ data: read.withdrawals, isError: false, hasNextPage: read.hasNextPage }),
}))

function render(withdrawal: object): string {
  read.withdrawals = [{ ...WITHDRAWAL, ...withdrawal }]
  return renderToStaticMarkup(<WithdrawalList />)
}

test('a state and a reason that only a newer server knows leave no blank', () => {
  expect(render({})).toContain('On its way')
  const newer = render({ state: 'queued', reasons: ['weekend', 'large'] })
  expect(newer).toMatch(/>queued</)
  expect(newer).toContain('The operator reviews larger withdrawals first.')
  expect(newer).not.toContain('<small></small>')
})

test('withdrawals that do not fit the first page can be shown, because one of them may still be open', () => {
  expect(render({})).not.toContain(historyMessages.more)
  read.hasNextPage = true
  expect(render({})).toContain(historyMessages.more)
})
