import './browser-stub.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { claimWorker } from '#contract/workers.ts'
import { walletFreeze } from '#web/wallet-freeze.ts'

const { call } = await import('./call.ts')
const { endSession, startSession } = await import('./session.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
const BEN = '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7'
const SINCE = '2026-11-20T09:12:00.000Z'
const FROZEN = { success: false, code: 'wallet_frozen', message: 'Frozen.', reason: 'a review', since: SINCE }

/** A claim of Ana is refused. `meanwhile` happens before the answer. */
async function refuseClaim(meanwhile: () => void): Promise<void> {
  startSession({ token: 'of ana', walletAddress: ANA })
  walletFreeze.set(null)
  vi.stubGlobal('fetch', () => {
    meanwhile()
    return Promise.resolve(Response.json(FROZEN, { status: 409 }))
  })
  const refused = call(claimWorker, { body: { workerId: 'kid-0001' } })
  await expect(refused).rejects.toMatchObject({ code: 'wallet_frozen' })
  await vi.dynamicImportSettled()
}

afterEach(() => {
  vi.unstubAllGlobals()
  walletFreeze.set(null)
  endSession('logged-out')
  localStorage.clear()
})

test('the freeze that refuses an action is shown to the player who acted, and not to the next one', async () => {
  await refuseClaim(() => undefined)
  expect(walletFreeze.get()).toMatchObject({ reason: 'a review', since: SINCE })
  await refuseClaim(() => startSession({ token: 'of ben', walletAddress: BEN }))
  expect(walletFreeze.get()).toBeNull()
})
