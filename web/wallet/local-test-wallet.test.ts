import '#web/api/browser-stub.ts'
import type { Wallet } from '@wallet-standard/base'
import { afterEach, beforeEach, expect, test } from 'vitest'

const { registerLocalTestWallet } = await import('./local-test-wallet.ts')

const REGISTERS = 'wallet-standard:register-wallet'
const found: Wallet[] = []

type Registration = CustomEvent<(app: { register: (wallet: Wallet) => void }) => void>
const onRegistration = (event: Event): void =>
  (event as Registration).detail({ register: (wallet) => found.push(wallet) })

beforeEach(() => window.addEventListener(REGISTERS, onRegistration))
afterEach(() => {
  window.removeEventListener(REGISTERS, onRegistration)
  localStorage.clear()
})

test('two tabs that open at once have the same test wallet, and a reload has it too', async () => {
  await Promise.all([registerLocalTestWallet(), registerLocalTestWallet()])
  await registerLocalTestWallet()
  const [first, ...others] = found.map(({ accounts }) => accounts[0]?.address)
  expect(first).toMatch(/^\w{32,44}$/)
  expect(others).toEqual([first, first])
})
