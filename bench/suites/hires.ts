import type { Pool } from 'pg'
import { purchaseWorker } from '#contract/workers.ts'
import { submitting } from '#server/account/submit.ts'
import { systemClock } from '#server/platform/clock.ts'
import { openDb, sql } from '#server/platform/db/db.ts'
import { hire } from '#server/workers/hire.ts'
import { openBarePool } from '../bare.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanBooks, openBooks } from '../books.ts'
import { burst, burstOverHttp } from '../burst.ts'
import { hireBare } from '../hires/hire-bare.ts'
import { HIRE_SCRIPT, hireOnce } from '../hires/hire-once.ts'
import { seedHirers, someHiring } from '../hires/hiring.ts'
import { BUYERS } from '../parcels/buyers.ts'
import { type Base, findBestClients, pgbenchRunning, pgbenchVersion } from '../pgbench.ts'
import { settle } from '../players.ts'
import { keyOn, postRequest } from '../requests.ts'
import { takeTurns, type TimedWay, wayOf } from '../rounds.ts'
import { startBothApis } from '../start-api.ts'
import { type Course, type Measured, type Reach, suiteOf } from '../suite.ts'

const CONNECTIONS = [1, 32, 128, 512]

/** Acknowledged hires of one type a second: every one of them reads and moves the same row of the supply. */
export const hires = suiteOf('Hires of one type beside one statement each', measure)

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedHirers(postgres.ownerUrl)
  const books = openBooks(postgres.ownerUrl, { closers })
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
    rounds: quick ? 2 : 5,
    say,
    settle: () => settle(postgres.ownerUrl),
    async check({ done }) {
      const now = await read()
      if (now - sold !== done) throw new Error(`${done} hires were acknowledged and ${now - sold} were sold`)
      sold = now
    },
    audit: () => expectCleanBooks(books),
  })
  return {
    base: once.name,
    unit: 'hires',
    ways: ways.map(({ way }) => way),
    reach: reachOver(once.name),
    facts: {
      'Clients of the base': clients,
      'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms`,
      'Hires acknowledged, each with its worker, its number and its charge': sold,
    },
  }
}

const readSold = sql('bench-sold', `select sold from worker_types where worker_type = 'kid'`)

const READ_THEN_WRITE = 'read-then-write by node-postgres, 32 at once'
const ALONE = 'over HTTP without gathering, 128 at once'
const overHttp = (lanes: number) => `over HTTP, ${lanes} at once`
const inProcess = (lanes: number) => `in process, ${lanes} at once`

const reachOver = (once: string): Reach[] => [
  { what: '512 at once over HTTP, over one statement each', of: overHttp(512), over: once, atLeast: 15 },
  {
    what: '512 at once in process, over read-then-write',
    of: inProcess(512),
    over: READ_THEN_WRITE,
    atLeast: 75,
  },
  { what: '512 at once over HTTP, over read-then-write', of: overHttp(512), over: READ_THEN_WRITE },
  { what: '128 at once over HTTP, over the same without gathering', of: overHttp(128), over: ALONE },
]

/** One statement for each hire: by pgbench, or where there is none by node-postgres. */
function openOnce({ apiUrl, bare, closers }: { apiUrl: string; bare: Pool } & Pick<Course, 'closers'>): Base {
  const version = pgbenchVersion()
  if (version !== undefined) {
    const script = { apiUrl, script: HIRE_SCRIPT, variables: { buyers: BUYERS } }
    return { name: `one statement each by pgbench ${version}`, run: pgbenchRunning(script, { closers }) }
  }
  return {
    name: 'one statement each by node-postgres',
    run: ({ clients, seconds }) =>
      burst({ lanes: clients, seconds }, async () => {
        const { rowCount } = await bare.query({ ...hireOnce, values: [someHiring().player] })
        return rowCount === 2
      }),
  }
}

type WaysOptions = { apiUrl: string; once: Base; clients: number; bare: Pool; seconds: number }

async function openWays({
  apiUrl,
  once,
  clients,
  bare,
  seconds,
  closers,
}: WaysOptions & Pick<Course, 'closers'>): Promise<TimedWay[]> {
  const api = await startBothApis({ apiUrl, closers })
  const db = openDb(apiUrl, { max: 10, applicationName: 'bench-hires' })
  closers.push(() => db.end())
  const submit = submitting({ db, clock: systemClock }, hire)
  const hireHere = async () => {
    await submit({ wallet: someHiring().wallet, workerType: 'kid', key: keyOn(purchaseWorker.path) })
    return true
  }
  return [
    { way: wayOf(once.name), run: () => once.run({ clients, seconds }) },
    {
      way: wayOf(READ_THEN_WRITE),
      run: () => burst({ lanes: 32, seconds }, () => hireBare(bare, someHiring())),
    },
    ...CONNECTIONS.map((lanes) => ({
      way: wayOf(overHttp(lanes)),
      run: () => burstOverHttp(api.gathering, { lanes, seconds }, { request }),
    })),
    { way: wayOf(ALONE), run: () => burstOverHttp(api.alone, { lanes: 128, seconds }, { request }) },
    ...[128, 512].map((lanes) => ({
      way: wayOf(inProcess(lanes)),
      run: () => burst({ lanes, seconds }, hireHere),
    })),
  ]
}

function request(): string {
  const { player, wallet } = someHiring()
  return postRequest(purchaseWorker.path, player, { workerType: 'kid', walletAddress: wallet })
}
