import { expect } from 'vitest'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { test } from '#tests/support/test-world.ts'

test('a player was last seen in another session of theirs, also once it has ended, and in none of another player', async ({
  world,
}) => {
  const app = await serveApp(world)
  const lastSeen = async (token: string) =>
    (await call(app, 'GET', '/api/users/last-seen', { token })).body.elsewhereAt
  const [ana, bob] = [testPlayer(), testPlayer()]
  const first = await logIn(app, ana)
  expect(await lastSeen(first)).toBeNull()
  const seenAt = world.clock.now().toISOString()
  world.clock.advance(1_000)
  const second = await logIn(app, ana)
  world.clock.advance(1_000)
  await logIn(app, bob)
  expect(await lastSeen(second)).toBe(seenAt)
  await call(app, 'POST', '/api/users/logout', { token: first })
  expect(await lastSeen(second)).toBe(seenAt)
})
