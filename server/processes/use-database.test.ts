import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { lockFolder } from './lock-folder.ts'
import { findFreePort } from './ports.ts'
import { useDatabase } from './use-database.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

test('a command beside a game whose database it does not find says how to name it', async () => {
  const unlock = lockFolder(dataDir, { name: 'server', lockedMessage: '', waitMs: 0 })
  const using = useDatabase(readConfig({ DATA_DIR: dataDir }), async () => 'used')
  await expect(using).rejects.toThrow(
    `A game runs on ${dataDir}, and its database is not there: set DATABASE_URL as that game has it, or wait until it has started.`,
  )
  unlock()
})

test('a command with the settings of no game creates none', async () => {
  for (const path of [join(dataDir, 'missing'), dataDir]) {
    const using = useDatabase(readConfig({ DATA_DIR: path }), async () => 'used')
    await expect(using).rejects.toThrow(
      `There is no database of a game in ${path}: set DATA_DIR or DATABASE_URL as the game has it.`,
    )
    expect(existsSync(join(path, 'postgres'))).toBe(false)
  }
  expect(existsSync(join(dataDir, 'missing'))).toBe(false)
})

test('a command beside a game whose built-in Postgres has ended says so', async () => {
  const folder = join(dataDir, 'ended')
  for (const name of ['secrets', 'postgres']) mkdirSync(join(folder, name), { recursive: true })
  const pidFile = join(folder, 'postgres', 'postmaster.pid')
  const port = await findFreePort()
  writeFileSync(join(folder, 'secrets', 'database-owner'), 'secret')
  writeFileSync(pidFile, `1\n${folder}\n0\n${port}\n`)
  const unlock = lockFolder(folder, { name: 'server', lockedMessage: '', waitMs: 0 })
  const use = () => useDatabase(readConfig({ DATA_DIR: folder }), async () => 'used')
  await expect(use()).rejects.toThrow(
    `The database of DATA_DIR cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}.`,
  )
  rmSync(pidFile)
  await expect(use()).rejects.toThrow(
    `A game runs on ${folder}, and its built-in Postgres does not run: wait until it has started, or set`,
  )
  unlock()
})
