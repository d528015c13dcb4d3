import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { WalletManagement } from './wallet-management.tsx'

const transition = vi.hoisted(() => ({ isPending: false }))

vi.mock('react', async (original) => ({
  ...(await original<object>()),
  useTransition: () => [transition.isPending, vi.fn()],
}))
vi.mock('./use-check-deposit.ts', () => ({
  useCheckDeposit: () => ({ check: vi.fn(), checking: false, resting: false }),
}))
vi.mock('./use-withdrawals.ts', () => ({ useWithdrawable: () => ({ data: undefined }) }))

test('the button of a withdrawal is busy until the code of the dialog is loaded', () => {
  const findBusyButton = () =>
    /<button[^>]* aria-busy="true"[^>]*>.*?<\/button>/.exec(
      renderToStaticMarkup(<WalletManagement depositOpen={false} onDepositAddress={vi.fn()} />),
    )?.[0]
  expect(findBusyButton()).toBeUndefined()
  transition.isPending = true
  expect(findBusyButton()).toContain('Withdraw')
})
