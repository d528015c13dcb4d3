import { claimWorker } from '#contract/workers.ts'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import { systemClock } from '#server/platform/clock.ts'
import { openDb, sql } from '#server/platform/db/db.ts'
import { claim, type Claim } from '#server/workers/claim.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanBooks, openBooks } from '../books.ts'
import { type Burst, burst, burstOverHttp, unlessRefused } from '../burst.ts'
import { CLAIM_SCRIPT } from '../claims/claim-script.ts'
import { EMPTY } from '../empty-route.ts'
import { type Base, findBestClients, pgbenchRunning } from '../pgbench.ts'
import { PLAYERS, seeEverybody, seedPlayers, settle, walletOf, workerOf } from '../players.ts'
import { processorOf } from '../processor-of.ts'
import { keyOn, postRequest } from '../requests.ts'
import { takeTurns, type TimedWay, type Turn } from '../rounds.ts'
import { sharedSpenders, wayThatSpends } from '../spent.ts'
import { startApi } from '../start-api.ts'
import type { Child } from '../start-child.ts'
import { median } from '../statistics.ts'
import { type Course, type Measured, type Reach, suiteOf } from '../suite.ts'

const CONNECTIONS = [1, 32, 128, 512]

/** Acknowledged claims a second, beside the same transaction run by pgbench on the same Postgres. */
export const claims = suiteOf('Claims beside pgbench', measure)

/** `booked` where not all that was done are claims. */
type ClaimTurn = Turn & Partial<Pick<Burst, 'refused' | 'ownCpu'>> & { booked?: number }

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedPlayers(postgres.ownerUrl)
  const books = openBooks(postgres.ownerUrl, { closers })
  const base = pgbenchRunning(
    'the same transaction',
    { apiUrl: postgres.apiUrl, script: CLAIM_SCRIPT, variables: { players: PLAYERS } },
    { say, closers },
  )
  const clients = await findBestClients(base, quick ? [8, 32] : [4, 8, 16, 32])
  say(`The base is ${base.name} with ${clients} clients, the best of those tried.`)
  const seconds = quick ? 1 : 2
  const spenders = await sharedSpenders(books)
  const ways = await openWays({
    apiUrl: postgres.apiUrl,
    base,
    clients,
    seconds,
    spenders,
    closers,
  })
  const read = async () => Number((await books.rows<{ claims: bigint }>(countClaims))[0]!.claims)
  let booked = await read()
  let refused = 0
  const ownCpu: number[] = []
  // Once: behind a checkpoint every page is logged whole at its first change, which two seconds would be full of.
  await settle(postgres.ownerUrl)
  await takeTurns<ClaimTurn>(ways, {
    rounds: quick ? 2 : 5,
    say,
    settle: () => seeEverybody(postgres.ownerUrl),
    async check(turn) {
      const [now, acknowledged] = [await read(), turn.booked ?? turn.done]
      if (now - booked !== acknowledged) {
        throw new Error(`${acknowledged} claims were acknowledged and ${now - booked} were booked`)
      }
      booked = now
      refused += turn.refused ?? 0
      if (turn.ownCpu !== undefined) ownCpu.push(turn.ownCpu)
    },
    audit: () => expectCleanBooks(books),
  })
  const [{ version } = { version: '' }] = await books.rows<{ version: string }>(readVersion)
  return {
    base: base.name,
    unit: 'claims',
    ways: ways.map(({ way }) => way),
    reach: reachOver(base.name),
    facts: {
      Postgres: `${version} with its default durability`,
      'Clients of the base': clients,
      'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms`,
      'Share of one core that the load generator took': `${Math.round(median(ownCpu) * 100)} %`,
      'Claims in the ledger, audited clean after every round': booked,
      'Claims refused, as there was nothing to claim yet': refused,
    },
  }
}

const countClaims = sql('bench-count', `select count(*) as claims from journals where kind = 'claim'`)
const readVersion = sql('bench-version', `select current_setting('server_version') as version`)

const ONE_CLIENT = 'the same, 1 client'
const inTwo = (lanes: number) => `over HTTP with two batches on their way, ${lanes} at once`
const ALONE = 'over HTTP without gathering, 128 at once'
const NOTHING = 'an empty route of the same server, 128 at once'
const overHttp = (lanes: number) => `over HTTP, ${lanes} at once`
const inProcess = (lanes: number) => `in process, ${lanes} at once`

const reachOver = (base: string): Reach[] => [
  { what: '128 at once over HTTP, over the base', of: overHttp(128), over: base, atLeast: 1.75 },
  { what: '512 at once in process, over the base', of: inProcess(512), over: base, atLeast: 3 },
  { what: 'one over HTTP, over one client of the base', of: overHttp(1), over: ONE_CLIENT, atLeast: 0.9 },
  { what: '128 at once over HTTP, over the empty route', of: overHttp(128), over: NOTHING, atLeast: 0.6 },
  {
    what: 'p99 of 128 at once over HTTP, over that of one statement each',
    of: overHttp(128),
    over: ALONE,
    figure: 'p99Ms',
    atMost: 0.3,
  },
  ...[128, 512].map((lanes) => ({
    what: `${lanes} at once with two batches on their way, over one`,
    of: inTwo(lanes),
    over: overHttp(lanes),
  })),
]

type WaysOptions = {
  apiUrl: string
  base: Base
  clients: number
  seconds: number
  spenders: Awaited<ReturnType<typeof sharedSpenders>>
} & Pick<Course, 'closers'>

async function openWays({
  apiUrl,
  base,
  clients,
  seconds,
  spenders: { postgres, load },
  closers,
}: WaysOptions): Promise<TimedWay<ClaimTurn>[]> {
  const gathering = await startApi({ apiUrl, closers })
  const alone = await startApi({ apiUrl, env: { BENCH_ALONE: '1' }, closers })
  const twofold = await startApi({ apiUrl, env: { BENCH_IN_TWO: '1' }, closers })
  const db = openDb(apiUrl, { max: 10, applicationName: 'bench-claims' })
  closers.push(() => db.end())
  const submit = submitInBatches({ db, clock: systemClock }, claim)
  const overHttpTo = (name: string, api: Child<string>, lanes: number, path: string = claimWorker.path) =>
    wayThatSpends<ClaimTurn>(name, { api: () => processorOf(api.pid), postgres, load }, () =>
      burstOverHttp(api.hello, { lanes, seconds }, { request: () => claimRequest(path), mayBeRefused: true }),
    )
  const overBase = (name: string, lanes: number) =>
    wayThatSpends<ClaimTurn>(name, { postgres, load }, () => base.run({ clients: lanes, seconds }))
  const nothing = overHttpTo(NOTHING, gathering, 128, EMPTY.path)
  return [
    overBase(base.name, clients),
    overBase(ONE_CLIENT, 1),
    ...CONNECTIONS.map((lanes) => overHttpTo(overHttp(lanes), gathering, lanes)),
    ...[128, 512].map((lanes) => overHttpTo(inTwo(lanes), twofold, lanes)),
    overHttpTo(ALONE, alone, 128),
    { ...nothing, run: async () => ({ ...(await nothing.run()), booked: 0 }) },
    ...[128, 512].map((lanes) =>
      wayThatSpends<ClaimTurn>(inProcess(lanes), { api: load, postgres }, () =>
        burst({ lanes, seconds }, () => unlessRefused(submit(someClaim()))),
      ),
    ),
  ]
}

const somebody = (): number => 1 + Math.floor(Math.random() * PLAYERS)

function someClaim(): Claim {
  const player = somebody()
  return { wallet: walletOf(player), workerId: workerOf(player), key: keyOn(claimWorker.path) }
}

function claimRequest(path: string): string {
  const player = somebody()
  return postRequest(path, player, { workerId: workerOf(player) })
}
