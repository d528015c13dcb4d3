import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditBooks } from '#server/ops/audit-books.ts'
import { type Db, openDb, sql } from '#server/platform/db/db.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { alone, claimInProcess, gathered, type Load } from '../claims/claim-in-process.ts'
import { type Burst, claimOverHttp } from '../claims/claim-over-http.ts'
import { EMPTY } from '../claims/empty-route.ts'
import { pgbenchVersion, runPgbench } from '../claims/pgbench.ts'
import { seedPlayers, settle } from '../players.ts'
import { startChild } from '../start-child.ts'
import { median, ratios } from '../statistics.ts'
import { type Course, type Measured, suiteOf, type Way } from '../suite.ts'

const CONNECTIONS = [1, 32, 128, 512]

/** Acknowledged claims a second, beside the same transaction run by pgbench on the same Postgres. */
export const claims = suiteOf('Claims beside pgbench', measure)

type Done = { paid: number; seconds: number; p50Ms?: number; p99Ms?: number; ownCpu?: number }

type Base = {
  name: string
  /** Commits as fast as it can with so many clients. */
  run(load: Load): Promise<Done>
}

type MeasuredWay = {
  way: Way
  burst(): Promise<Done & Partial<Burst>>
  /** What it answers is no claim. */
  pays?: false
}

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedPlayers(postgres.ownerUrl)
  const books = openDb(postgres.ownerUrl, { max: 1, applicationName: 'bench-books', readsAll: true })
  closers.push(() => books.end())
  const base = chooseBase({ apiUrl: postgres.apiUrl, say, closers })
  const rounds = quick ? 2 : 7
  const seconds = quick ? 1.5 : 3
  const clients = await findBestClients(base, { candidates: quick ? [8, 32] : [4, 8, 16, 32], seconds })
  say(`The base is ${base.name} with ${clients} clients, the best of those tried.`)

  const check = bookkeeper(books)
  const ways = await openWays({ apiUrl: postgres.apiUrl, base, clients, seconds, closers })
  for (const { burst } of ways) await burst()
  await check.catchUp()
  const ownCpu: number[] = []
  let refused = 0
  for (let round = 1; round <= rounds; round++) {
    for (const { way, burst: start, pays } of ways) {
      await settle(postgres.ownerUrl)
      const burst = await start()
      await check.expect(pays === false ? 0 : burst.paid)
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
      ...besides(ways.map(({ way }) => way)),
      'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms`,
      'Share of one core that the load generator took': `${Math.round(median(ownCpu) * 100)} %`,
      'Claims in the ledger, audited clean after every round': await check.count(),
      'Claims answered with anything but 200': refused,
    },
  }
}

const ONE_CLIENT = 'the same, 1 client'
const ALONE = 'over HTTP without gathering, 128 at once'
const NOTHING = 'an empty route of the same server, 128 at once'
const overHttp = (connections: number) => `over HTTP, ${connections} at once`

type WaysOptions = { apiUrl: string; base: Base; clients: number; seconds: number } & Pick<Course, 'closers'>

async function openWays({ apiUrl, base, clients, seconds, closers }: WaysOptions): Promise<MeasuredWay[]> {
  const serve = async (env: Record<string, string>) => {
    const child = await startChild<string>(new URL('../serve-api.ts', import.meta.url), {
      env: { DATABASE_URL: apiUrl, ...env },
    })
    closers.push(() => child.stop())
    return child.hello
  }
  const [api, aloneApi] = [await serve({}), await serve({ BENCH_ALONE: '1' })]
  const db = openDb(apiUrl, { max: 10, applicationName: 'bench-claims' })
  closers.push(() => db.end())
  const submit = gathered(db)
  const way = (name: string): Way => ({ name, perSecond: [], p50Ms: [], p99Ms: [] })
  const whole = Math.ceil(seconds)
  return [
    { way: way(base.name), burst: () => base.run({ clients, seconds: whole }) },
    { way: way(ONE_CLIENT), burst: () => base.run({ clients: 1, seconds: whole }) },
    ...CONNECTIONS.map((connections) => ({
      way: way(overHttp(connections)),
      burst: () => claimOverHttp(api, { connections, seconds }),
    })),
    { way: way(ALONE), burst: () => claimOverHttp(aloneApi, { connections: 128, seconds }) },
    {
      way: way(NOTHING),
      burst: () => claimOverHttp(api, { connections: 128, seconds, path: EMPTY.path }),
      pays: false,
    },
    ...[128, 512].map((lanes) => ({
      way: way(`in process, ${lanes} at once`),
      burst: () => claimInProcess(submit, { clients: lanes, seconds }),
    })),
  ]
}

/** Figures beside another base than the table's, round by round. */
function besides(ways: readonly Way[]): Record<string, string> {
  const named = (name: string) => ways.find((way) => way.name === name)!
  const share = (one: number[], other: number[]) => median(ratios(one, other)).toFixed(2)
  const [lone, crowd, apart] = [named(overHttp(1)), named(overHttp(128)), named(ALONE)]
  return {
    'One at once over HTTP, beside one client of the base': share(
      lone.perSecond,
      named(ONE_CLIENT).perSecond,
    ),
    '128 at once, beside the empty route': share(crowd.perSecond, named(NOTHING).perSecond),
    '128 at once, beside the same without gathering': share(crowd.perSecond, apart.perSecond),
    'p99 of 128 at once, beside the same without gathering': share(crowd.p99Ms!, apart.p99Ms!),
  }
}

function chooseBase({ apiUrl, say, closers }: { apiUrl: string } & Omit<Course, 'quick'>): Base {
  const version = pgbenchVersion()
  if (version === undefined) {
    say(
      'There is no pgbench on the PATH (Debian: apt install postgresql-contrib), so the base is node-postgres.',
    )
    const db = openDb(apiUrl, { max: 32, applicationName: 'bench-base' })
    closers.push(() => db.end())
    return {
      name: 'node-postgres in process, each claim a transaction',
      run: (load) => claimInProcess(alone(db), load),
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
