import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import { listProcesses } from '#server/processes/list-processes.ts'
import { makeDataDir, listProcessTree, runServer, waitFor } from '#tests/support/run-server.ts'
import type { RunningServer } from '#tests/support/run-server.ts'
import { queryRows } from '#tests/support/test-postgres.ts'

const roles = ['api', 'signer', 'watcher', 'local-chain'] as const

let folder: ReturnType<typeof makeDataDir>
let server: RunningServer

beforeAll(() => {
  folder = makeDataDir()
})

afterAll(async () => {
  for (const { pid } of [...listProcessTree(server.pid), ...ofPostgres()]) kill(pid)
  await server.ended
  folder.remove()
})

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}

const ofPostgres = () => listProcesses().filter(({ command }) => command.includes(`-D ${folder.dataDir}`))

/** The ids of all processes of the running game. */
const allOf = ({ pid }: RunningServer) => [...listProcessTree(pid), ...ofPostgres()].map((each) => each.pid)

const isRunning = (pid: number) => listProcesses().some((each) => each.pid === pid)

const pidOf = (role: string) =>
  listProcessTree(server.pid).find(({ command }) => command.endsWith(` ${role} `))?.pid

const ask = <Row extends object>(sql: string): Promise<Row[]> =>
  queryRows(findRunningPostgres(folder.dataDir)!, sql)

const remember = (wallet: string) => ask(`insert into users (wallet, created_at) values ('${wallet}', now())`)
const remembered = async () =>
  (await ask<{ wallet: string }>('select wallet from users order by wallet')).map(({ wallet }) => wallet)

async function answers(url: string): Promise<boolean> {
  const reply = await fetch(`${url}/readyz`).catch(() => undefined)
  return reply?.ok ?? false
}

test('a start reports when the game is ready, and Ctrl-C stops all processes', async () => {
  server = runServer({ dataDir: folder.dataDir })
  const url = await server.ready
  expect(await answers(url)).toBe(true)
  await remember('a')
  const processes = allOf(server)
  expect(processes.length).toBeGreaterThanOrEqual(2 + roles.length)
  server.pressCtrlC()
  expect(await server.ended).toBe(0)
  expect(processes.filter(isRunning)).toEqual([])
  // A process that exits unexpectedly would have been reported and restarted.
  expect(server.output()).toBe(`Creating the database (first start only) …\nCotton Farm is ready: ${url}\n`)
  expect(existsSync(join(folder.dataDir, 'postgres/postmaster.pid'))).toBe(false)
})

test('a restart keeps all data', async () => {
  server = runServer({ dataDir: folder.dataDir })
  await server.ready
  expect(await remembered()).toEqual(['a'])
})

test('a second server on the same data folder is refused', async () => {
  const second = runServer({ dataDir: folder.dataDir })
  expect(await second.ended).toBe(1)
  expect(second.output()).toBe(
    `Another Cotton Farm already runs on ${folder.dataDir}: stop it, or set DATA_DIR to another folder.\n`,
  )
})

test('a killed role is restarted', { tags: 'variant' }, async () => {
  const url = await server.ready
  const before = roles.map((role) => ({ role, pid: pidOf(role)! }))
  for (const { pid } of before) process.kill(pid, 'SIGKILL')
  for (const { role, pid } of before) {
    await waitFor(`a new ${role}`, () => pidOf(role) !== undefined && pidOf(role) !== pid)
  }
  await waitFor('an answer', () => answers(url))
})

test('a killed database is restarted with all data', async () => {
  const url = await server.ready
  await remember('b')
  const { pid } = ofPostgres()[0]!
  process.kill(pid, 'SIGKILL')
  await waitFor('an answer', async () => !isRunning(pid) && ofPostgres().length > 0 && answers(url))
  expect(await remembered()).toEqual(['a', 'b'])
})

test('the roles of a killed server stop, and the next start takes over its database', async () => {
  await remember('c')
  const port = new URL(await server.ready).port
  const orphans = listProcessTree(server.pid).slice(1)
  const rolesLeft = orphans.filter(({ command }) => !command.includes(folder.dataDir))
  expect(rolesLeft.length).toBeGreaterThanOrEqual(roles.length)
  process.kill(server.pid, 'SIGKILL')
  server = runServer({ dataDir: folder.dataDir, env: { PORT: port } })
  await server.ready
  expect(rolesLeft.map(({ pid }) => pid).filter(isRunning)).toEqual([])
  expect(await remembered()).toEqual(['a', 'b', 'c'])
})

test('the next start succeeds after kill -9 of all processes', { tags: 'variant' }, async () => {
  await remember('d')
  for (const pid of allOf(server)) kill(pid)
  server = runServer({ dataDir: folder.dataDir })
  const url = await server.ready
  expect(await answers(url)).toBe(true)
  expect(await remembered()).toEqual(['a', 'b', 'c', 'd'])
})

test('Ctrl-C during a start leaves no process behind', async () => {
  server.pressCtrlC()
  await server.ended
  server = runServer({ dataDir: folder.dataDir })
  await waitFor('a database', () => ofPostgres().length > 0)
  const processes = allOf(server)
  server.pressCtrlC()
  expect(await server.ended).toBe(0)
  expect(processes.filter(isRunning)).toEqual([])
  expect(ofPostgres()).toEqual([])
})
