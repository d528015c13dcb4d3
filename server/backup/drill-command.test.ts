import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { systemClock } from '#server/platform/clock.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { test } from '#tests/support/test-world.ts'
import { recordResult, runDrill } from './drill-command.ts'
import type { DrillResult } from './drill.ts'
import { HEAD_PART } from './manifest.ts'
import { writeArchive } from './write-archive.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

const manifest: DrillResult['manifest'] = {
  format: 'cotton-farm-backup',
  version: 1,
  release: '0.0.0',
  moment: '2026-01-01T00:00:00.000Z',
  world: null,
  migrations: [],
  tables: [],
  parts: [],
}

test('a drill beside a game that a power failure has ended is done, and says that it is not recorded', async () => {
  const dead = await findFreePort()
  for (const folder of ['postgres', 'secrets']) mkdirSync(join(dataDir, folder))
  writeFileSync(join(dataDir, 'secrets', 'database-owner'), 'secret')
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `1\n${dataDir}/postgres\n1767225600\n${dead}\n`)
  const config = readConfig({ DATA_DIR: dataDir })
  const result = { manifest, problems: [], uncompared: [] }
  expect(await recordResult(config, { clock: systemClock, result, tookMs: 1 })).toBe(
    ' The database of the game does not answer, so the drill is not recorded.',
  )
})

test('a drill that compared nothing with the chain is recorded as failed, its backup as good', async ({
  world,
}) => {
  const config = readConfig({ DATABASE_URL: world.directUrl, DATA_DIR: dataDir })
  const result = { manifest, problems: [], uncompared: ['no node answers'] }
  await recordResult(config, { clock: world.clock, result, tookMs: 1 })
  const recorded = await runQuery<{ value: object }>(
    world.db,
    `select value from settings where name = 'last_drill'`,
  )
  expect(recorded).toMatchObject([{ value: { ok: false, backup_ok: true, problems: ['no node answers'] } }])
  await runQuery(world.db, `delete from settings where name = 'last_drill'`)
})

test('a drill of a damaged backup is recorded as failed; one of a newer format is not', async ({ world }) => {
  const configOf = (url: string) => readConfig({ DATABASE_URL: url, DATA_DIR: dataDir })
  const { signal } = new AbortController()
  const said: string[] = []
  const say = (line: string) => said.push(line)
  const context = { config: configOf(world.directUrl), clock: world.clock, say, onProgress: () => {}, signal }
  const pathOf = (name: string) => join(dataDir, name)
  const drillOf = (name: string, by = context) =>
    runDrill(by, { positionals: [pathOf(name)], options: {}, flags: new Set() })
  const write = (name: string, version: number) =>
    writeArchive(pathOf(name), [], (writer) =>
      writer.add(HEAD_PART, Buffer.from(JSON.stringify({ format: 'cotton-farm-backup', version }))),
    )
  const readRecorded = () =>
    runQuery<{ value: object }>(world.db, `select value from settings where name = 'last_drill'`)

  await write('newer', 2)
  await expect(drillOf('newer')).rejects.toThrow('use the release that made it')
  expect(await readRecorded()).toEqual([])
  await write('short', 1)
  writeFileSync(pathOf('zeros'), Buffer.alloc(1_000))
  for (const name of ['short', 'zeros']) {
    world.clock.advance(60_000)
    await expect(drillOf(name)).rejects.toThrow(pathOf(name))
    const failed = {
      at: world.clock.now().toISOString(),
      ok: false,
      backup_ok: false,
      backup_at: null,
      took_ms: expect.any(Number),
      problems: [expect.stringContaining(pathOf(name))],
    }
    expect(await readRecorded()).toEqual([{ value: failed }])
  }
  // A login that cannot record it hides nothing.
  const readers = { ...context, config: configOf(world.directUrlFor('api')) }
  await expect(drillOf('zeros', readers)).rejects.toThrow(pathOf('zeros'))
  expect(said.at(-1)).toMatch(
    /^The drill failed\. It is not recorded: permission denied for table settings\.$/,
  )
})
