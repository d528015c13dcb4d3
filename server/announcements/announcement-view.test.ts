import { pino } from 'pino'
import { expect } from 'vitest'
import type { Chain } from '#server/chain/port.ts'
import { createApp } from '#server/app.ts'
import { readLog } from '#server/ops/operator-log.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDb } from '#server/platform/db/db.ts'
import { ops } from '#tests/support/run-ops.ts'
import { call } from '#tests/support/serve-app.ts'
import { openSocket, socketUrl } from '#tests/support/test-socket.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { openAnnouncementView } from './announcement-view.ts'
import { createAnnouncement, listAnnouncements, withdrawAnnouncement } from './announcements.ts'

const HOUR_MS = 3_600_000

/** Announces a text for an hour, which starts after this time. */
const announce = (world: TestWorld, text: string, afterMs = 0): Promise<{ id: string }> => {
  const now = world.clock.now()
  const from = new Date(now.getTime() + afterMs)
  const until = new Date(from.getTime() + HOUR_MS)
  return world.db.transaction((tx) => createAnnouncement(tx, { text, from, until, who: 'ana', now }))
}

const withdraw = (world: TestWorld, id: string): Promise<boolean> =>
  world.db.transaction((tx) => withdrawAnnouncement(tx, { id, who: 'ben', now: world.clock.now() }))

test('an announcement is shown from its start until its end, or until it is withdrawn', async ({ world }) => {
  const view = await openAnnouncementView(world)
  const textsAfterRefresh = async () => [await view.refresh(), view.current().map(({ text }) => text)]
  expect(await textsAfterRefresh()).toEqual([[], []])
  await announce(world, 'now')
  await announce(world, 'later', HOUR_MS / 2)
  expect(await textsAfterRefresh()).toEqual([['announcements'], ['now']])
  expect(await textsAfterRefresh()).toEqual([[], ['now']])
  world.clock.advance(HOUR_MS / 2)
  expect(await textsAfterRefresh()).toEqual([['announcements'], ['now', 'later']])
  world.clock.advance(HOUR_MS / 2)
  expect(await textsAfterRefresh()).toEqual([['announcements'], ['later']])
  const [later] = view.current()
  expect(await withdraw(world, later!.id)).toBe(true)
  expect(await withdraw(world, later!.id)).toBe(false)
  expect(await textsAfterRefresh()).toEqual([['announcements'], []])
})

test('of more announcements than anybody would read, the newest are shown', async ({ world }) => {
  const texts = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']
  const ids: string[] = []
  for (const text of texts) {
    ids.push((await announce(world, text)).id)
    world.clock.advance(1_000)
  }
  const view = await openAnnouncementView(world)
  expect(view.current().map(({ text }) => text)).toEqual(texts.slice(1))
  const listed = await ops(world, 'announcements')
  expect(listed).toContain(`${ids[0]}  not shown while 5 newer ones are`)
  for (const id of ids.slice(1)) expect(listed).toContain(`${id}  shown now`)
  for (const id of ids) await withdraw(world, id)
})

test('everybody reads it with the facts of the site, and on every socket, without a restart', async ({
  world,
}) => {
  const config = readConfig({
    DATABASE_URL: world.urlFor('api'),
    DATABASE_DIRECT_URL: world.directUrlFor('api'),
    PUBLIC_URL: 'http://farm.test',
  })
  const db = openDb(world.urlFor('api'), { max: 5, applicationName: 'test-api' })
  const chain = { facts: { cluster: 'local' } } as Chain
  const app = await createApp({ ...world, db, config, chain, log: pino({ level: 'silent' }) })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = await openSocket(socketUrl(app.server))
  expect(await socket.waitForFrame('announcements')).toEqual([])
  const { id } = await announce(world, 'The game restarts at 18:00.')
  const [shown] = await socket.waitForFrame('announcements', ([first]) => first?.id === id)
  expect(shown).toEqual({
    id,
    text: 'The game restarts at 18:00.',
    until: new Date(world.clock.now().getTime() + HOUR_MS).toISOString(),
  })
  expect((await call(app, 'GET', '/api/site')).body.announcements).toEqual([shown])
  await withdraw(world, id)
  await socket.waitForFrame(
    'announcements',
    (all) => all.length === 0 && socket.framesOf('announcements').length > 2,
  )
  expect((await call(app, 'GET', '/api/site')).body.announcements).toEqual([])
  await app.close()
  await db.end()
})

test('operators announce, list and withdraw by command, and a wrong time or text changes nothing', async ({
  world,
}) => {
  const text = 'Sale of land on Monday.'
  const by = ['--by', 'Ana']
  const said = await ops(world, 'announce', text, '--until', '2099-01-01T00:00:00Z', ...by)
  const id = /Announcement (\S+) is shown from/.exec(said)![1]!
  const listed = await ops(world, 'announcements')
  expect(listed).toContain(`${id}  shown now`)
  expect(listed).toContain(`to 2099-01-01T00:00:00.000Z, by ana: ${text}`)
  expect(await ops(world, 'withdraw-announcement', id, ...by)).toBe(`Announcement ${id} is no longer shown.`)
  expect((await readLog(world.db, 2)).map(({ command, who }) => [command, who])).toEqual([
    ['announce', 'ana'],
    ['withdraw-announcement', 'ana'],
  ])
  const count = (await listAnnouncements(world.db, { limit: 50 })).length
  const wrong: [string[], string][] = [
    [['announce', text, '--until', 'tomorrow', ...by], '--until must be a time with its zone'],
    [['announce', text, '--until', '2099-01-01T00:00:00', ...by], '--until must be a time with its zone'],
    [['announce', text, '--until', '2098-11-31T18:00:00Z', ...by], 'on an existing day from 2020 to 2199'],
    [['announce', text, '--until', '9999-12-31T23:59:59Z', ...by], 'on an existing day from 2020 to 2199'],
    [['announce', text, '--until', '2020-01-01T00:00:00Z', ...by], 'ends after it starts'],
    [['announce', 'x'.repeat(301), '--until', '2099-01-01T00:00:00Z', ...by], 'at most 300 characters'],
    [['announce', text, ...by], '--until is missing'],
    [['withdraw-announcement', id, ...by], 'already over'],
    [['withdraw-announcement', 'nonsense', ...by], 'There is no announcement nonsense'],
  ]
  for (const [args, problem] of wrong) await expect(ops(world, ...args)).rejects.toThrow(problem)
  expect(await listAnnouncements(world.db, { limit: 50 })).toHaveLength(count)
})
