import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { systemClock } from '#server/platform/clock.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { recordResult } from './drill-command.ts'
import type { DrillResult } from './drill.ts'

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
  const result = { manifest, problems: [] }
  expect(await recordResult(config, { clock: systemClock, result, tookMs: 1 })).toBe(
    ' The database of the game does not answer, so the drill is not recorded.',
  )
})
