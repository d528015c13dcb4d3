import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { NEWEST_OF_PLAYER } from '#contract/console/withdrawals.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { WithdrawalPage } from './withdrawal-page.tsx'

const listed = vi.hoisted(() => ({ count: 0 }))

vi.mock('../../api/queries.ts', () => {
  const at = '2026-01-05T12:00:00.000Z'
  const wallet = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
  const credit = { wallet, deposited: '5', earned: '0' }
  const player = { ...credit, createdAt: at, held: '5', frozen: null, openWithdrawals: 1_234 }
  const ends = { settledAt: null, cancelledAt: null, retryAt: null, signature: null }
  const decision = { reasons: [], needed: 1, approvals: [], frozen: false }
  const withdrawal = {
    ...credit,
    ...ends,
    ...decision,
    id: 'id',
    amount: '5',
    state: 'review',
    requestedAt: at,
  }
  const deposit = { tokenAccount: 'account', wallet, asset: 'cotton', mint: null, amount: '5' }
  const credited = { ...deposit, state: 'credited', why: null, slot: 1, seenAt: at, creditedAt: at }
  const useRead = () => {
    const names = Array.from({ length: listed.count }, (_, index) => String(index))
    const withdrawals = names.map((id) => ({ ...withdrawal, id }))
    const deposits = names.map((signature) => ({ ...credited, signature, journalId: null }))
    return { data: { withdrawal, acts: [], player, withdrawals, deposits }, error: null }
  }
  return { useRead, queryClient: {} }
})

function render(count: number): string {
  listed.count = count
  return renderToStaticMarkup(
    <MemoryRouter>
      <WithdrawalPage />
    </MemoryRouter>,
  )
}

test('lists of a player that may have left out older rows say so', () => {
  const few = render(NEWEST_OF_PLAYER - 1)
  expect(few).toContain('>Withdrawals of this player</h2>')
  expect(few).toContain('>Deposits of this player</h2>')
  const full = render(NEWEST_OF_PLAYER)
  expect(full).toContain('>The newest 20 withdrawals of this player</h2>')
  expect(full).toContain('>The newest 20 deposits of this player</h2>')
})

test('the open withdrawals of a player are counted with thousands separators', () => {
  expect(render(0)).toContain('<dt>Open withdrawals</dt><dd>1,234</dd>')
})

test('a missing right is named once for both decisions', () => {
  expect(render(0).split(`>${consoleMessages.noRight('decide')}<`)).toHaveLength(2)
})
