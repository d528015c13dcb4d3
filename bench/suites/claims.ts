import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditBooks } from '#server/ops/audit-books.ts'
import { type Db, openDb, sql } from '#server/platform/db/db.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { claimInProcess } from '../claims/claim-in-process.ts'
import { type Burst, claimOverHttp } from '../claims/claim-over-http.ts'
import { pgbenchVersion, runPgbench } from '../claims/pgbench.ts'
import { seedPlayers, settle } from '../players.ts'
import { startChild } from '../start-child.ts'
import { median } from '../statistics.ts'
import { type Course, type Measured, suiteOf, type Way } from '../suite.ts'

const CONNECTIONS = [1, 32, 128]

/** Acknowledged claims a second over HTTP, beside the same transaction run by pgbench on the same Postgres. */
export const claims = suiteOf('Claims over HTTP beside pgbench', measure)

type Base = {
  name: string
  /** Commits as fast as it can with so many clients. */
  run(load: { clients: number; seconds: number }): Promise<{ paid: number; seconds: number }>
}

type MeasuredWay = { way: Way; burst(): Promise<{ paid: number; seconds: number } & Partial<Burst>> }

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedPlayers(postgres.ownerUrl)
  const books = openDb(postgres.ownerUrl, { max: 1, applicationName: 'bench-books' })
  closers.push(() => books.end())
  const api = await startChild<string>(new URL('../serve-api.ts', import.meta.url), {
    env: { DATABASE_URL: postgres.apiUrl },
  })
  closers.push(() => api.stop())
  const base = chooseBase({ apiUrl: postgres.apiUrl, say, closers })
  const rounds = quick ? 2 : 7
  const seconds = quick ? 1.5 : 4
  const clients = await findBestClients(base, { candidates: quick ? [8, 32] : [4, 8, 16, 32], seconds })
  say(`The base is ${base.name} with ${clients} clients, the best of those tried.`)

  const check = bookkeeper(books)
  const ways: MeasuredWay[] = [
    {
      way: { name: base.name, perSecond: [] },
      burst: () => base.run({ clients, seconds: Math.ceil(seconds) }),
    },
    ...CONNECTIONS.map((connections) => ({
      way: { name: `over HTTP, ${connections} at once`, perSecond: [], p50Ms: [], p99Ms: [] },
      burst: () => claimOverHttp(api.hello, { connections, seconds }),
    })),
  ]
  await claimOverHttp(api.hello, { connections: 32, seconds: 1 })
  await check.catchUp()
  const ownCpu: number[] = []
  let refused = 0
  for (let round = 1; round <= rounds; round++) {
    for (const { way, burst: start } of ways) {
      await settle(postgres.ownerUrl)
      const burst = await start()
      await check.expect(burst.paid)
      way.perSecond.push(burst.paid / burst.seconds)
      if (burst.p50Ms) way.p50Ms?.push(burst.p50Ms)
      if (burst.p99Ms) way.p99Ms?.push(burst.p99Ms)
      if (burst.ownCpu) ownCpu.push(burst.ownCpu)
      refused += Object.values(burst.others ?? {}).reduce((sum, count) => sum + count, 0)
    }
    say(
      `round ${round}/${rounds}: ${ways.map(({ way }) => `${way.name} ${Math.round(way.perSecond.at(-1)!)}`).join(', ')}`,
    )
  }
  const [{ version } = { version: '' }] = await books.rows<{ version: string }>(
    sql('bench-version', `select current_setting('server_version') as version`),
  )
  return {
    base: base.name,
    unit: 'claims',
    ways: ways.map(({ way }) => way),
    facts: {
      Postgres: `${version} with its default durability`,
      'Clients of the base': clients,
      'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms`,
      'Share of one core that the load generator took': `${Math.round(median(ownCpu) * 100)} %`,
      'Claims in the ledger, audited clean after every round': await check.count(),
      'Claims answered with anything but 200': refused,
    },
  }
}

function chooseBase({ apiUrl, say, closers }: { apiUrl: string } & Omit<Course, 'quick'>): Base {
  const version = pgbenchVersion()
  if (version === undefined) {
    say(
      'There is no pgbench on the PATH (Debian: apt install postgresql-contrib), so the base is node-postgres.',
    )
    return {
      name: 'node-postgres in process, the same transaction',
      run: (load) => claimInProcess(apiUrl, load),
    }
  }
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-pgbench-'))
  closers.push(() => rmSync(dir, { recursive: true }))
  return {
    name: `pgbench ${version.split(' ')[0]}, the same transaction`,
    run: (load) => runPgbench(apiUrl, { ...load, dir }),
  }
}

async function findBestClients(
  base: Base,
  { candidates, seconds }: { candidates: number[]; seconds: number },
): Promise<number> {
  const tried: { clients: number; perSecond: number }[] = []
  for (const clients of candidates) {
    const burst = await base.run({ clients, seconds: Math.ceil(seconds) })
    tried.push({ clients, perSecond: burst.paid / burst.seconds })
  }
  return tried.toSorted((a, b) => b.perSecond - a.perSecond)[0]!.clients
}

/** Holds what was acknowledged against the ledger: every claim that was answered is there, once, and the books agree. */
function bookkeeper(db: Db) {
  const countClaims = sql('bench-count', `select count(*) as claims from journals where kind = 'claim'`)
  const count = async () => Number((await db.rows<{ claims: bigint }>(countClaims))[0]!.claims)
  let known = 0
  return {
    count,
    async catchUp() {
      known = await count()
    },
    async expect(paid: number) {
      const now = await count()
      if (now - known !== paid)
        throw new Error(`${paid} claims were acknowledged and ${now - known} were booked`)
      known = now
      const [finding] = await auditBooks(db)
      if (finding) throw new Error(`The books are broken: ${JSON.stringify(finding)}`)
    },
  }
}
