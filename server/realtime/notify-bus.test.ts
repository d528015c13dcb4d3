import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect } from 'vitest'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { breakableDatabase } from '#tests/support/breakable-database.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { openChanges } from './changes.ts'
import { type NotifyBus, openNotifyBus } from './notify-bus.ts'

type Listener = { bus: NotifyBus; received: string[][]; connects: number }

const open: NotifyBus[] = []
test.afterEach(async () => {
  await Promise.all(open.splice(0).map((bus) => bus.stop()))
})

async function listen(
  world: TestWorld,
  options: { url?: string; maxSilenceMs?: number } = {},
): Promise<Listener> {
  const received: string[][] = []
  const listener: Listener = {
    received,
    connects: 0,
    bus: openNotifyBus({
      url: world.directUrlFor('api'),
      log: pino({ level: 'silent' }),
      receive: (names) => received.push(names),
      connected: () => {
        listener.connects += 1
      },
      ...options,
    }),
  }
  open.push(listener.bus)
  await waitFor('the first connect', () => listener.connects === 1)
  return listener
}

const endConnections = sql({
  name: 'test-end-connections',
  params: { pids: 'integer[]' },
  text: ({ pids }) => `select pg_terminate_backend(pid) from unnest(${pids}) as pid`,
})

const cut = (world: TestWorld, pids: number[]) => world.db.rows(endConnections, { pids })

async function pidsOf(world: TestWorld): Promise<number[]> {
  const rows = await world.db.rows(
    sql({
      name: 'test-find-connections',
      row: rowOf<{ pid: number }>(),
      text: `select pid from pg_stat_activity
       where application_name = 'cotton-changes' and datname = current_database()`,
    }),
  )
  return rows.map(({ pid }) => pid)
}

test('changes of one tick reach the other processes in one notification, and not the sender', async ({
  world,
}) => {
  const [one, two, three] = [await listen(world), await listen(world), await listen(world)]
  for (let at = 0; at < 500; at++) one.bus.publish(at % 2 === 0 ? ['land'] : ['supply', 'land'])
  await waitFor('the notification', () => two.received.length > 0 && three.received.length > 0)
  await sleep(200)
  expect([one.received, two.received, three.received]).toEqual([
    [],
    [['land', 'supply']],
    [['land', 'supply']],
  ])
})

test('a cut connection reconnects, reports that it may have missed notifications, and receives again', async ({
  world,
}) => {
  const [one, two] = [await listen(world), await listen(world)]
  for (let round = 2; round < 5; round++) {
    await cut(world, await pidsOf(world))
    await waitFor('both to be back', () => one.connects === round && two.connects === round)
    one.bus.publish([`round ${round}`])
    await waitFor('the notification', () => two.received.flat().includes(`round ${round}`))
  }
})

test('a connection that falls silent is replaced, by a process that only listens too', async ({ world }) => {
  const path = await breakableDatabase(world.directUrlFor('api'))
  const [one, two] = [await listen(world), await listen(world, { url: path.url, maxSilenceMs: 4_000 })]
  path.fallSilent()
  one.bus.publish(['lost'])
  await waitFor('another connection', () => two.connects > 1)
  one.bus.publish(['land'])
  await waitFor('the notification', () => two.received.flat().includes('land'))
  expect(two.received.flat()).not.toContain('lost')
  await two.bus.stop()
  await path.close()
})

test('changes published while the connection is down are sent after the reconnect', async ({ world }) => {
  const one = await listen(world)
  const pids = await pidsOf(world)
  const two = await listen(world)
  // A receiver that is cut, too, may return after the notification was sent.
  await cut(world, pids)
  one.bus.publish(['land'])
  await waitFor('the notification', () => two.received.flat().includes('land'))
})

test('changes published during a send share the next notification', async ({ world }) => {
  const [one, two] = [await listen(world), await listen(world)]
  const pids = await pidsOf(world)
  try {
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    // Each in its own tick.
    for (const name of ['first', 'second', 'third', 'fourth']) {
      one.bus.publish([name])
      await sleep(80)
    }
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await waitFor('all notifications', () => two.received.flat().length === 4)
  expect(two.received).toEqual([['first'], ['second', 'third', 'fourth']])
  expect(one.connects).toBe(1)
})

test('a process that stops sends its last changes', async ({ world }) => {
  const [one, two] = [await listen(world), await listen(world)]
  one.bus.publish(['land'])
  await one.bus.stop()
  await waitFor('the notification', () => two.received.flat().includes('land'))
})

test('a change that a poll finds, which nobody has published, reaches the other processes', async ({
  world,
}) => {
  const other = await listen(world)
  let reads = 0
  const changes = openChanges({
    // The first reads are those of the connect and of the first poll.
    sources: new Map([['market', { refresh: async () => (++reads === 3 ? ['market'] : []) }]]),
    announce: () => undefined,
    busDatabaseUrl: world.directUrlFor('api'),
    log: pino({ level: 'silent' }),
  })
  try {
    await waitFor('the notification', () => other.received.length > 0, 20_000)
    expect(other.received).toEqual([['market']])
  } finally {
    await changes.stop()
  }
})
