import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { makeDataDir, waitFor } from '#tests/support/run-server.ts'
import { supervisePostgres } from './supervise-postgres.ts'

const { dataDir, remove } = makeDataDir()
let postgres: Awaited<ReturnType<typeof supervisePostgres>> | undefined

afterEach(async () => {
  await postgres?.stop()
  remove()
})

const kill = (): void => {
  const [pid] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

async function ask(url: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query('select 1 as one')).rows
  } finally {
    await client.end()
  }
}

const A_BUSY_MACHINE = { timeout: 180_000 }

test('a database that is killed while it is restarted is restarted again', A_BUSY_MACHINE, async () => {
  const restarts: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void restarts.push(line) })
  postgres = await supervisePostgres({ dataDir, log, onProgress: () => {} })
  const { url } = postgres
  expect(await ask(url)).toEqual([{ one: 1 }])

  // The first query of the restart meets the second kill. `once` of node:events would listen for errors as well.
  const query = vi.spyOn(Client.prototype, 'query').mockImplementationOnce(async function (this: Client) {
    kill()
    await new Promise<void>((ended) => this.once('end', ended))
    throw new Error('The database was killed.')
  })
  kill()
  await waitFor('the second kill', () => query.mock.calls.length > 0)
  const answer = await waitFor('an answer', () => ask(url).catch(() => null))
  expect(answer).toEqual([{ one: 1 }])
  expect(restarts.join('')).toContain('Postgres could not be restarted')
})
