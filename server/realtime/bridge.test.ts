import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect } from 'vitest'
import { sql } from '#server/platform/db/db.ts'
import { until } from '#tests/support/run-server.ts'
import { test, type World } from '#tests/support/world.ts'
import { type Bridge, openBridge } from './bridge.ts'

type Listener = { bridge: Bridge; heard: string[][]; missed: number }

const open: Bridge[] = []
test.afterEach(async () => {
  await Promise.all(open.splice(0).map((bridge) => bridge.stop()))
})

async function listen(world: World): Promise<Listener> {
  const heard: string[][] = []
  const listener: Listener = {
    heard,
    missed: 0,
    bridge: openBridge({
      url: world.urlFor('api'),
      log: pino({ level: 'silent' }),
      hear: (names) => heard.push(names),
      missed: () => {
        listener.missed += 1
      },
    }),
  }
  open.push(listener.bridge)
  await until('the first look', () => listener.missed === 1)
  return listener
}

const cut = (world: World) =>
  world.db.rows(
    sql(
      'test-cut-bridges',
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'cotton-news' and datname = current_database()`,
    ),
  )

async function pidsOf(world: World): Promise<number[]> {
  const rows = await world.db.rows<{ pid: number }>(
    sql(
      'test-find-bridges',
      `select pid from pg_stat_activity
       where application_name = 'cotton-news' and datname = current_database()`,
    ),
  )
  return rows.map(({ pid }) => pid)
}

test('what one process tells in a tick, the others hear in one piece, and it does not hear itself', async ({
  world,
}) => {
  const [one, two, three] = [await listen(world), await listen(world), await listen(world)]
  for (let at = 0; at < 500; at++) one.bridge.tell(at % 2 === 0 ? ['land'] : ['supply', 'land'])
  await until('the news', () => two.heard.length > 0 && three.heard.length > 0)
  await sleep(200)
  expect([one.heard, two.heard, three.heard]).toEqual([[], [['land', 'supply']], [['land', 'supply']]])
})

test('a connection that is cut comes back, says that it may have missed something, and hears again', async ({
  world,
}) => {
  const [one, two] = [await listen(world), await listen(world)]
  for (let round = 2; round < 5; round++) {
    await cut(world)
    await until('both to be back', () => one.missed === round && two.missed === round, 2_000)
    one.bridge.tell([`round ${round}`])
    await until('the news', () => two.heard.flat().includes(`round ${round}`), 1_000)
  }
})

test('what is told while the connection is down is told when it is back', async ({ world }) => {
  const [one, two] = [await listen(world), await listen(world)]
  await cut(world)
  one.bridge.tell(['land'])
  await until('the news', () => two.missed === 2 && two.heard.flat().includes('land'), 2_000)
})

test('what is told while the last word is still on its way waits for it, and is one word', async ({
  world,
}) => {
  const [one, two] = [await listen(world), await listen(world)]
  const pids = await pidsOf(world)
  try {
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    // Each in a tick of its own.
    for (const name of ['first', 'second', 'third', 'fourth']) {
      one.bridge.tell([name])
      await sleep(80)
    }
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await until('all news', () => two.heard.flat().length === 4, 1_000)
  expect(two.heard).toEqual([['first'], ['second', 'third', 'fourth']])
  expect(one.missed).toBe(1)
})

test('the last words of a process that stops are heard', async ({ world }) => {
  const [one, two] = [await listen(world), await listen(world)]
  one.bridge.tell(['land'])
  await one.bridge.stop()
  await until('the news', () => two.heard.flat().includes('land'), 1_000)
})
