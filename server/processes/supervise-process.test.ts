import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { waitFor } from '#tests/support/run-server.ts'
import { superviseProcess, type SupervisedProcess } from './supervise-process.ts'

const { execPath } = process
const PATH = process.env.PATH ?? ''
const started: SupervisedProcess[] = []

afterEach(async () => {
  process.execPath = execPath
  await Promise.all(started.splice(0).map((each) => each.stop()))
})

/** Supervises a role that does not exist, which its process says once it runs. */
function supervise(env: Record<string, string>) {
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
  const { ready } = started[started.push(superviseProcess({ role: 'nobody', env, log, graceMs: 0 })) - 1]!
  return { ready, failed: (code: string) => waitFor(code, () => logged.some((line) => line.includes(code))) }
}

test('a role whose process could not be started is started again', async () => {
  process.execPath = '/no/such/node'
  const { ready, failed } = supervise({ PATH })
  await failed('ENOENT')
  process.execPath = execPath
  await expect(ready).rejects.toThrow('There is no role "nobody"')
})

test('a role whose process the system could not start is started again', async () => {
  const env: Record<string, string> = { PATH, LARGE: 'x'.repeat(3_000_000) }
  const { ready, failed } = supervise(env)
  await failed('E2BIG')
  delete env.LARGE
  await expect(ready).rejects.toThrow('There is no role "nobody"')
})
