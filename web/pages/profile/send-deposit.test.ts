import '#web/api/browser-stub.ts'
import type { ReactElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { type Cotton, cotton } from '#game/cotton.ts'
import { renderHook } from '#web/api/hook-stub.tsx'
import { endSession, startSession } from '#web/api/session.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { SendDeposit } from './send-deposit.tsx'

const wallet = vi.hoisted(() => ({
  data: undefined as Cotton | undefined,
  isError: false,
  refetch: vi.fn<() => Promise<{ data: Cotton }>>(),
}))
const send = vi.hoisted(() => vi.fn<(amount: Cotton) => void>())
const IDLE = { deposit: { step: 'idle' }, resting: false }

vi.mock('#web/api/use-wallet-balance.ts', () => ({ useWalletBalance: () => wallet }))
vi.mock('./use-suggested-deposit.ts', () => ({ useSuggestedDeposit: () => AMOUNT }))
vi.mock('#web/deposits/use-send-deposit.ts', () => ({
  useSendDeposit: () => ({ ...IDLE, send, dismiss: vi.fn(), cancel: vi.fn() }),
}))

/** More than the wallet had when it was read last. */
const AMOUNT = cotton(100)

type Form = ReactElement<{
  onSubmit: (event: { preventDefault: () => void; currentTarget: object }) => void
  children: readonly ReactElement<{ onChange: (typed: string) => void }>[]
}>

/** A press of the button, which reads the wallet again. `answer` says that it has enough. */
function pressSend() {
  const reading = Promise.withResolvers<{ data: Cotton }>()
  wallet.data = cotton(50)
  wallet.refetch.mockReturnValue(reading.promise)
  const { onSubmit, children } = (renderHook(SendDeposit) as Form).props
  vi.stubGlobal('document', { getElementById: () => null })
  const form = { isConnected: true }
  onSubmit({ preventDefault: () => undefined, currentTarget: form })
  return {
    change: (typed: string) => children.find(({ type }) => type === AmountField)?.props.onChange(typed),
    leave: () => (form.isConnected = false),
    async answer(): Promise<void> {
      reading.resolve({ data: AMOUNT })
      await new Promise((ended) => setTimeout(ended))
    },
  }
}

afterEach(() => {
  send.mockClear()
  vi.unstubAllGlobals()
  endSession('logged-out')
})

test('an amount above the last balance of the wallet is sent once the wallet has it', async () => {
  await pressSend().answer()
  expect(send).toHaveBeenCalledExactlyOnceWith(AMOUNT)
})

test('an amount that is changed while the wallet is read again is not sent', async () => {
  const { change, answer } = pressSend()
  change('40')
  await answer()
  expect(send).not.toHaveBeenCalled()
})

test('a deposit whose form is closed while the wallet is read again is not sent', async () => {
  const { leave, answer } = pressSend()
  leave()
  await answer()
  expect(send).not.toHaveBeenCalled()
})

test('a deposit of a player who gives way to another one while the wallet is read again is not sent', async () => {
  startSession({ token: 'of ana', walletAddress: 'ana' })
  const { answer } = pressSend()
  startSession({ token: 'of ben', walletAddress: 'ben' })
  await answer()
  expect(send).not.toHaveBeenCalled()
})
