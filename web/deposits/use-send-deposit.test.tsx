import '#web/api/browser-stub.ts'
import { QueryClient } from '@tanstack/react-query'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { fetchNextHistoryPage } from '#web/api/history-stub.ts'
import { renderHook } from '#web/api/hook-stub.tsx'
import { depositMessages } from '#web/messages/en-deposit.ts'

const { endSession, session, startSession } = await import('#web/api/session.ts')
const { wallets } = await import('#web/wallet/wallets.ts')
const { sentDeposits, showDeposit } = await import('./deposit-state.ts')
const { useSendDeposit } = await import('./use-send-deposit.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
const BEN = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const AMOUNT = cotton(50_000)

const shown = () => sentDeposits.get().shown
const neverAnswers = vi.fn(() => new Promise<never>(() => undefined))

/** Starts a deposit from a wallet that has this feature. By default it never answers. */
async function startDeposit(
  feature: string,
  answer: () => Promise<unknown> = neverAnswers,
  client = new QueryClient(),
): Promise<{ cancel: () => void }> {
  const method = feature.replace('solana:', '')
  const features = { [feature]: { [method]: answer } }
  const wallet = { name: 'Phantom', features, chains: ['solana:localnet'] } as unknown as Wallet
  const account = { address: session.get().walletAddress } as WalletAccount
  wallets.set({ wallets: [wallet], connected: { wallet, account } })
  const { send, cancel } = renderHook(useSendDeposit, client)
  // A press is ignored in the cooldown of the test before.
  const press = () => {
    send(AMOUNT)
    return shown().step
  }
  await expect.poll(press).toBe('preparing')
  return { cancel }
}

const REPLIES: Record<string, object> = {
  '/api/deposits/transaction': { success: true, transaction: 'AAAA', depositWallet: ANA },
  '/api/chain': { cluster: 'local', mint: ANA, decimals: 6, explorer: null },
}
const serve = (path: string): Promise<Response> => Promise.resolve(Response.json(REPLIES[path]))

/** A call that the game does not answer. */
const wait = (_: string, { signal }: { signal: AbortSignal }): Promise<Response> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

beforeEach(() => {
  startSession({ token: 'a token', walletAddress: ANA })
  showDeposit(ANA, { step: 'idle' })
})

afterEach(() => {
  neverAnswers.mockClear()
  vi.unstubAllGlobals()
  wallets.set({ wallets: [], connected: null })
  showDeposit(null, { step: 'idle' })
  endSession('logged-out')
  localStorage.clear()
})

test('a deposit that the player cancels while the game prepares it is not a failure', async () => {
  const fetch = vi.fn(wait)
  vi.stubGlobal('fetch', fetch)
  const { cancel } = await startDeposit('solana:signTransaction')
  await expect.poll(() => fetch).toHaveBeenCalledTimes(2)
  cancel()
  await expect.poll(shown).toEqual({ step: 'cancelled', amount: AMOUNT })
  expect(neverAnswers).not.toHaveBeenCalled()
})

test('a deposit that the player cancels while the wallet is asked to sign it is not a failure', async () => {
  vi.stubGlobal('fetch', serve)
  const { cancel } = await startDeposit('solana:signTransaction')
  await expect.poll(() => neverAnswers).toHaveBeenCalled()
  cancel()
  await expect.poll(shown).toEqual({ step: 'cancelled', amount: AMOUNT })
})

test('a deposit does not stop the next page of the history', async () => {
  vi.stubGlobal('fetch', serve)
  const client = new QueryClient()
  const expectNextPage = await fetchNextHistoryPage(client)
  const { cancel } = await startDeposit('solana:signTransaction', neverAnswers, client)
  cancel()
  await expect.poll(() => shown().step).toBe('cancelled')
  await expectNextPage()
})

test('a deposit that a wallet never signs does not block that of the next player', async () => {
  vi.stubGlobal('fetch', serve)
  await startDeposit('solana:signTransaction')
  await expect.poll(() => neverAnswers).toHaveBeenCalledTimes(1)
  endSession('account-switched')
  startSession({ token: 'another token', walletAddress: BEN })
  await startDeposit('solana:signTransaction')
  await expect.poll(() => neverAnswers).toHaveBeenCalledTimes(2)
})

test('a deposit that is cancelled while the wallet may send it asks the player to check the wallet', async () => {
  vi.stubGlobal('fetch', serve)
  const { cancel } = await startDeposit('solana:signAndSendTransaction')
  await expect.poll(() => neverAnswers).toHaveBeenCalled()
  cancel()
  await expect.poll(() => shown().step).toBe('failed')
  expect(shown()).toMatchObject({ problem: expect.stringContaining('Check your wallet') })
})

test('a deposit whose signature is wrong was not sent, and says so', async () => {
  const refusal = { success: false, code: 'signature_failed', message: 'Signature verification failed' }
  vi.stubGlobal('fetch', (path: string) =>
    path === '/api/deposits/submit' ? Promise.resolve(Response.json(refusal, { status: 401 })) : serve(path),
  )
  await startDeposit('solana:signTransaction', async () => [{ signedTransaction: new Uint8Array(3) }])
  await expect.poll(() => shown().step).toBe('failed')
  expect(shown()).toMatchObject({ problem: depositMessages.signFailed })
})

test('a deposit for a chain that does not respond asks the player to check the wallet', async () => {
  const refusal = { success: false, code: 'chain_unreachable', message: 'The chain is not responding.' }
  vi.stubGlobal('fetch', (path: string) =>
    path === '/api/deposits/submit' ? Promise.resolve(Response.json(refusal, { status: 503 })) : serve(path),
  )
  await startDeposit('solana:signTransaction', async () => [{ signedTransaction: new Uint8Array(3) }])
  await expect.poll(() => shown().step).toBe('failed')
  expect(shown()).toMatchObject({ problem: expect.stringContaining('Check your wallet') })
})
