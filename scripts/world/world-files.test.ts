import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the land and the maps are what the table of areas makes of them', () => {
  const script = join(import.meta.dirname, '../build-world.mjs')
  const built = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect(built.stderr).toBe('')
  expect(built.status).toBe(0)
}, 120_000)
