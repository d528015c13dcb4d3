import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitting } from '#server/account/submit.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Db, openDb, sql } from '#server/platform/db/db.ts'
import { hire } from '#server/workers/hire.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanBooks } from '../books.ts'
import { burst, type Load } from '../burst.ts'
import { pgbenchVersion } from '../claims/pgbench.ts'
import { hireBare } from '../hires/hire-bare.ts'
import { hireByPgbench, hireOnce } from '../hires/hire-once.ts'
import { hireOverHttp, keyForHire, seedHirers, someHiring } from '../hires/hiring.ts'
import { openBarePool } from '../parcels/buy-bare.ts'
import { settle } from '../players.ts'
import { besides, takeTurns, type TimedWay, type Turn, wayOf } from '../rounds.ts'
import { startChild } from '../start-child.ts'
import { type Course, type Measured, suiteOf } from '../suite.ts'

const CONNECTIONS = [1, 32, 128, 512]

/** Acknowledged hires of one type a second: every one of them reads and moves the same row of the supply. */
export const hires = suiteOf('Hires of one type beside one statement each', measure)

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedHirers(postgres.ownerUrl)
  const books = openDb(postgres.ownerUrl, { max: 1, applicationName: 'bench-books', readsAll: true })
  closers.push(() => books.end())
  const seconds = quick ? 1 : 2
  const bare = openBarePool(postgres.apiUrl)
  closers.push(() => bare.end())
  const once = openOnce({ apiUrl: postgres.apiUrl, bare, closers })
  const clients = await findBestClients(once, quick ? [2, 8] : [1, 2, 4, 8, 16])
  say(`The base is ${once.name} with ${clients} clients, the best of those tried.`)
  const read = async () => Number((await books.rows<{ sold: number }>(readSold))[0]!.sold)
  let sold = await read()
  const ways = await openWays({ apiUrl: postgres.apiUrl, once, clients, bare, seconds, closers })
  await takeTurns(ways, {
    rounds: quick ? 2 : 7,
    say,
    settle: () => settle(postgres.ownerUrl),
    async check({ done }) {
      const now = await read()
      if (now - sold !== done) throw new Error(`${done} hires were acknowledged and ${now - sold} were sold`)
      sold = now
    },
    audit: () => expectCleanBooks(books),
  })
  const named = (lanes: number) => `over HTTP, ${lanes} at once`
  return {
    base: once.name,
    unit: 'hires',
    ways: ways.map(({ way }) => way),
    facts: {
      'Clients of the base': clients,
      '128 at once over HTTP, beside the same without gathering': besides(ways, named(128), ALONE),
      '512 at once over HTTP, beside read-then-write': besides(ways, named(512), READ_THEN_WRITE),
      '512 at once in process, beside read-then-write': besides(ways, inProcess(512), READ_THEN_WRITE),
      'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms`,
      'Hires acknowledged, each with its worker, its number and its charge': sold,
    },
  }
}

const readSold = sql('bench-sold', `select sold from worker_types where worker_type = 'kid'`)

const READ_THEN_WRITE = 'read-then-write by node-postgres, 32 at once'
const ALONE = 'over HTTP without gathering, 128 at once'
const inProcess = (lanes: number) => `in process, ${lanes} at once`

type Once = { name: string; run(load: { clients: number; seconds: number }): Promise<Turn> }

type Bare = ReturnType<typeof openBarePool>

/** One statement for each hire: by pgbench, or where there is none by node-postgres. */
function openOnce({ apiUrl, bare, closers }: { apiUrl: string; bare: Bare } & Pick<Course, 'closers'>): Once {
  const version = pgbenchVersion()
  if (version === undefined) {
    return {
      name: 'one statement each by node-postgres',
      run: ({ clients, seconds }) =>
        burst({ lanes: clients, seconds }, async () => {
          const { rowCount } = await bare.query({ ...hireOnce, values: [someHiring().player] })
          return rowCount === 2
        }),
    }
  }
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-pgbench-'))
  closers.push(() => rmSync(dir, { recursive: true }))
  return {
    name: `one statement each by pgbench ${version.split(' ')[0]}`,
    run: ({ clients, seconds }) => hireByPgbench(apiUrl, { clients, seconds: Math.ceil(seconds), dir }),
  }
}

async function findBestClients(once: Once, candidates: readonly number[]): Promise<number> {
  const tried: { clients: number; perSecond: number }[] = []
  for (const clients of candidates) {
    const { done, seconds } = await once.run({ clients, seconds: 1 })
    tried.push({ clients, perSecond: done / seconds })
  }
  return tried.toSorted((a, b) => b.perSecond - a.perSecond)[0]!.clients
}

type WaysOptions = { apiUrl: string; once: Once; clients: number; bare: Bare; seconds: number }

async function openWays({
  apiUrl,
  once,
  clients,
  bare,
  seconds,
  closers,
}: WaysOptions & Pick<Course, 'closers'>): Promise<TimedWay[]> {
  const serve = async (env: Record<string, string>) => {
    const child = await startChild<string>(new URL('../serve-api.ts', import.meta.url), {
      env: { DATABASE_URL: apiUrl, ...env },
    })
    closers.push(() => child.stop())
    return child.hello
  }
  const [api, aloneApi] = [await serve({}), await serve({ BENCH_ALONE: '1' })]
  const db = openDb(apiUrl, { max: 10, applicationName: 'bench-hires' })
  closers.push(() => db.end())
  const hireHere = hireInProcess(db)
  return [
    { way: wayOf(once.name), run: () => once.run({ clients, seconds }) },
    {
      way: wayOf(READ_THEN_WRITE),
      run: () => burst({ lanes: 32, seconds }, () => hireBare(bare, someHiring())),
    },
    ...CONNECTIONS.map((lanes) => ({
      way: wayOf(`over HTTP, ${lanes} at once`),
      run: () => hireOverHttp(api, { lanes, seconds }),
    })),
    { way: wayOf(ALONE), run: () => hireOverHttp(aloneApi, { lanes: 128, seconds }) },
    ...[128, 512].map((lanes) => ({
      way: wayOf(inProcess(lanes)),
      run: () => hireHere({ lanes, seconds }),
    })),
  ]
}

/** The product's action and its gathering, without HTTP and sessions. */
function hireInProcess(db: Db) {
  const submit = submitting({ db, clock: systemClock }, hire)
  return (load: Load) =>
    burst(load, async () => {
      await submit({ wallet: someHiring().wallet, workerType: 'kid', key: keyForHire() })
      return true
    })
}
