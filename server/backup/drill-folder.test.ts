import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPostgres } from '#server/processes/postgres/postgres.ts'
import { makeDrillFolder } from './drill-folder.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'drill-folder-'))
  vi.stubEnv('TMPDIR', dir)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dir, { recursive: true })
})

test('what a killed drill has left ends and is removed by the next one, and a drill that runs stays', async () => {
  const killed = join(dir, 'cotton-farm-drill-a1B2c3')
  const dataDir = join(killed, 'data')
  mkdirSync(dataDir, { recursive: true })
  const postgres = await startPostgres({ dataDir })
  writeFileSync(join(killed, 'drill.lock'), '')
  const said: string[] = []
  const say = (sentence: string) => void said.push(sentence)

  const running = await makeDrillFolder(say)
  await postgres.ended
  expect(existsSync(killed)).toBe(false)
  expect(said).toEqual([`${killed} is removed: a drill that was killed had left it.`])

  const other = await makeDrillFolder(say)
  expect(existsSync(running.path)).toBe(true)
  await running.remove()
  await other.remove()
  expect([existsSync(running.path), existsSync(other.path), said.length]).toEqual([false, false, 1])
})
