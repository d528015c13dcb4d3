import { claimWorker } from '#contract/workers.ts'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import { systemClock } from '#server/platform/clock.ts'
import { openDb, rowOf, sql } from '#server/platform/db/db.ts'
import { claim, type Claim } from '#server/workers/claim.ts'
import { expectCleanAudit, openOwnerDb } from '../audit.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { sharedCpuSources, withCpuTime } from '../cpu-columns.ts'
import { EMPTY } from '../empty-route.ts'
import { type Load, load, loadOverHttp, unlessRefused } from '../load.ts'
import { measureRounds, type Measurement, type TimedVariant } from '../measure-rounds.ts'
import { keyOn, postRequest } from '../requests.ts'
import { PLAYERS, prepareCluster, refreshSessions, seedPlayers, walletOf, workerOf } from '../seed-players.ts'
import { startBothApis } from '../start-api.ts'
import type { Child } from '../start-child.ts'
import { type Measured, type Run, suiteOf, type Target } from '../suite.ts'

const CLIENTS = [1, 32, 128, 512]

/** Acknowledged claims per second, with batching and without. */
export const claims = suiteOf('Claims with and without batching', measure)

/** `booked` is the number of claims in the ledger if it differs from `done`. */
type ClaimMeasurement = Measurement & { refused?: number; booked?: number }

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedPlayers(postgres.ownerUrl)
  const owner = openOwnerDb(postgres.ownerUrl, { closers })
  const variants = await openVariants({
    apiUrl: postgres.apiUrl,
    seconds: quick ? 1 : 2,
    cpu: await sharedCpuSources(owner),
    closers,
  })
  const read = async () => Number((await owner.rows(countClaims))[0]!.claims)
  let booked = await read()
  let refused = 0
  // Only once: for two seconds after a checkpoint, the first change of each page writes a full-page image.
  await prepareCluster(postgres.ownerUrl)
  await measureRounds<ClaimMeasurement>(variants, {
    rounds: quick ? 2 : 5,
    say,
    prepare: () => refreshSessions(postgres.ownerUrl),
    async check(measurement) {
      const [now, acknowledged] = [await read(), measurement.booked ?? measurement.done]
      if (now - booked !== acknowledged) {
        throw new Error(`${acknowledged} claims were acknowledged and ${now - booked} were booked`)
      }
      booked = now
      refused += measurement.refused ?? 0
    },
    audit: () => expectCleanAudit(owner),
  })
  const [{ version } = { version: '' }] = await owner.rows(readVersion)
  return {
    base: UNBATCHED,
    unit: 'claims',
    variants: variants.map(({ variant }) => variant),
    targets: TARGETS,
    facts: {
      Postgres: `${version} with its default durability`,
      'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms`,
      'Claims in the ledger, audited after every round': booked,
      'Claims refused because there was nothing to claim yet': refused,
    },
  }
}

const countClaims = sql({
  name: 'bench-count',
  row: rowOf<{ claims: bigint }>(),
  text: `select count(*) as claims from journals where kind = 'claim'`,
})
const readVersion = sql({
  name: 'bench-version',
  row: rowOf<{ version: string }>(),
  text: `select current_setting('server_version') as version`,
})

const UNBATCHED = 'without batching, 128 at once'
const ONE_UNBATCHED = 'without batching, 1 at once'
const NOTHING = 'an empty route of the same server, 128 at once'
const IN_PROCESS = 'without HTTP, 512 at once'
const batched = (clients: number) => `${clients} at once`

const TARGETS: Target[] = [
  { what: '128 at once, over 128 without batching', of: batched(128), over: UNBATCHED, atLeast: 4 },
  { what: 'one client, over one without batching', of: batched(1), over: ONE_UNBATCHED, atLeast: 0.9 },
  { what: '128 at once, over the empty route', of: batched(128), over: NOTHING },
  {
    what: 'p99 of 128 at once, over that without batching',
    of: batched(128),
    over: UNBATCHED,
    figure: 'p99Ms',
    atMost: 0.3,
  },
]

type Options = {
  apiUrl: string
  seconds: number
  cpu: Awaited<ReturnType<typeof sharedCpuSources>>
} & Pick<Run, 'closers'>

async function openVariants({
  apiUrl,
  seconds,
  cpu,
  closers,
}: Options): Promise<TimedVariant<ClaimMeasurement>[]> {
  const apis = await startBothApis({ apiUrl, closers })
  const db = openDb(apiUrl, { max: 10, applicationName: 'bench-claims' })
  closers.push(() => db.end())
  const submit = submitInBatches({ db, clock: systemClock }, claim)
  const over = (name: string, api: Child<string>, clients: number) =>
    withCpuTime<ClaimMeasurement>(name, cpu.of(api), {
      run: () => requestClaims(api.hello, claimWorker.path, { clients, seconds }),
    })
  return [
    over(UNBATCHED, apis.unbatched, 128),
    over(ONE_UNBATCHED, apis.unbatched, 1),
    ...CLIENTS.map((clients) => over(batched(clients), apis.batched, clients)),
    withCpuTime<ClaimMeasurement>(NOTHING, cpu.of(apis.batched), {
      run: async () => ({
        ...(await requestClaims(apis.batched.hello, EMPTY.path, { clients: 128, seconds })),
        booked: 0,
      }),
    }),
    withCpuTime<ClaimMeasurement>(
      IN_PROCESS,
      { api: cpu.load, postgres: cpu.postgres },
      { run: () => load({ clients: 512, seconds }, () => unlessRefused(submit(someClaim()))) },
    ),
  ]
}

const somePlayer = (): number => 1 + Math.floor(Math.random() * PLAYERS)

function someClaim(): Claim {
  const player = somePlayer()
  return { wallet: walletOf(player), workerId: workerOf(player), key: keyOn(claimWorker.path) }
}

const requestClaims = (url: string, path: string, size: Load): Promise<ClaimMeasurement> =>
  loadOverHttp(url, size, () => {
    const player = somePlayer()
    return postRequest(path, player, { workerId: workerOf(player) })
  })
