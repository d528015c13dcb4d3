import '#web/api/browser-stub.ts'
import type { ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { cotton, ZERO } from '#game/cotton.ts'
import { renderHook } from '#web/api/hook-stub.tsx'
import { recordCredited, recordSent, sentDeposits } from '#web/deposits/deposit-state.ts'
import { StepAction } from './guide-step.tsx'

vi.mock('#web/deposits/use-send-deposit.ts', () => ({
  useSendDeposit: () => ({
    deposit: { step: 'idle' },
    resting: false,
    send: (...[amount, from]: [typeof AMOUNT, { fromGuide: boolean }?]) => recordSent('ana', amount, 0, from),
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

test('a deposit that the first steps send leaves the deposit form free once it is credited', () => {
  const { type, props } = StepAction({ step: 'deposit', facts: FACTS }) as ReactElement
  const button = renderHook(() => (type as (given: unknown) => unknown)(props))
  ;(button as ReactElement<{ onClick: () => void }>).props.onClick()
  expect(sentDeposits.get().shown).toEqual({ step: 'waiting', amount: AMOUNT })
  recordCredited('ana', AMOUNT)
  expect(sentDeposits.get().shown).toEqual({ step: 'idle' })
})
