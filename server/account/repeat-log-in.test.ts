import { expect } from 'vitest'
import { UnknownOutcomeError } from '#server/platform/db/unavailable.ts'
import { call, serveApp, signLogin } from '#tests/support/serve-app.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { test } from '#tests/support/test-world.ts'

test('a login whose connection breaks at the commit gets the session that it has opened', async ({
  world,
}) => {
  const transaction: typeof world.db.transaction = async (work) => {
    const result = await world.db.transaction(work)
    if (breaks) {
      breaks = false
      throw new UnknownOutcomeError(new Error('terminated'))
    }
    return result
  }
  let breaks = false
  const app = await serveApp({ ...world, db: { ...world.db, transaction } })
  const player = testPlayer()
  const nonce = await call(app, 'POST', '/api/users/nonce', { body: { walletAddress: player.wallet } })
  breaks = true
  const { status, body } = await call(app, 'POST', '/api/users/verify-wallet', {
    body: signLogin(player, String(nonce.body.message)),
  })
  expect([status, breaks]).toEqual([200, false])
  const token = String(body.token)
  const listed = await call(app, 'GET', '/api/users/sessions', { token })
  expect(listed.body.sessions).toHaveLength(1)
  await app.close()
})
