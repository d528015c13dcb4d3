import '#web/api/browser-stub.ts'
import type { ReactElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { cotton, ZERO } from '#game/cotton.ts'
import { renderHook } from '#web/api/hook-stub.tsx'
import { recordCredited, recordSent, sentDeposits, showDeposit } from '#web/deposits/deposit-state.ts'
import { Button } from '#web/ui/button.tsx'
import { TransientButton } from '#web/ui/transient-button.tsx'
import { StepAction } from './guide-step.tsx'

const cancel = vi.hoisted(() => vi.fn<() => void>())

vi.mock('#web/deposits/use-send-deposit.ts', () => ({
  useSendDeposit: () => ({
    deposit: sentDeposits.get().shown,
    resting: false,
    send: (...[amount, from]: [typeof AMOUNT, { fromGuide: boolean }?]) => recordSent('ana', amount, 0, from),
    cancel,
  }),
}))

/** All that the wallet holds. The price of a picker is more. */
const AMOUNT = cotton(100)

const FACTS = {
  loggedIn: true,
  workers: [],
  balance: ZERO,
  prices: undefined,
  inWallet: AMOUNT,
  depositing: false,
}

type ShownButton = ReactElement<{ onClick: () => void; busy?: boolean }> | null

/** The buttons of the step that deposits. */
function renderButtons() {
  const { type, props } = StepAction({ step: 'deposit', facts: FACTS }) as ReactElement
  const action = renderHook(() => (type as (given: unknown) => unknown)(props))
  const { children } = (action as ReactElement<{ children: readonly ShownButton[] }>).props
  const find = (kind: unknown) => children.find((child) => child?.type === kind)?.props
  return { sendButton: find(Button), cancelButton: find(TransientButton) }
}

afterEach(() => showDeposit('nobody', { step: 'idle' }))

test('a deposit that the first steps send leaves the deposit form free once it is credited', () => {
  renderButtons().sendButton?.onClick()
  expect(sentDeposits.get().shown).toEqual({ step: 'waiting', amount: AMOUNT })
  recordCredited('ana', AMOUNT)
  expect(sentDeposits.get().shown).toEqual({ step: 'idle' })
})

test('a deposit of the first steps can be cancelled until the wallet has signed it', () => {
  expect(renderButtons().cancelButton).toBeUndefined()
  for (const step of ['preparing', 'signing'] as const) {
    showDeposit('ana', { step, amount: AMOUNT })
    renderButtons().cancelButton?.onClick()
  }
  expect(cancel).toHaveBeenCalledTimes(2)
  showDeposit('ana', { step: 'sending', amount: AMOUNT })
  expect(renderButtons()).toMatchObject({ sendButton: { busy: true }, cancelButton: undefined })
})
