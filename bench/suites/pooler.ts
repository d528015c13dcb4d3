import { claimWorker } from '#contract/workers.ts'
import { findPgBouncer, NO_PGBOUNCER, startPgBouncer } from '#tests/support/pgbouncer.ts'
import { expectCleanAudit, openOwnerDb } from '../audit.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { sharedCpuSources, withCpuTime } from '../cpu-columns.ts'
import { loadOverHttp } from '../load.ts'
import { measureRounds } from '../measure-rounds.ts'
import { postRequest } from '../requests.ts'
import { PLAYERS, prepareCluster, refreshSessions, seedPlayers, workerOf } from '../seed-players.ts'
import { startApi } from '../start-api.ts'
import { type Measured, type Run, suiteOf } from '../suite.ts'

/** Acknowledged claims per second through PgBouncer, and without. */
export const pooler = suiteOf('Claims through PgBouncer', measure)

const DIRECT = 'straight to Postgres, 128 at once'
const POOLED = 'through PgBouncer, 128 at once'
const OPTIONS = 'straight, with the plan settings as startup options, 128 at once'

const STARTUP_OPTIONS =
  'plan_cache_mode=force_generic_plan enable_seqscan=off enable_mergejoin=off enable_hashjoin=off'
    .split(' ')
    .map((setting) => `-c ${setting}`)
    .join(' ')

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  if (!findPgBouncer()) throw new Error(NO_PGBOUNCER)
  const postgres = await startBenchPostgres({ closers })
  await seedPlayers(postgres.ownerUrl)
  const owner = openOwnerDb(postgres.ownerUrl, { closers })
  const cpu = await sharedCpuSources(owner)
  const found = await startPgBouncer({ url: postgres.ownerUrl })
  if (!found) throw new Error(NO_PGBOUNCER)
  closers.push(() => found.stop())
  const withOptions = new URL(postgres.apiUrl)
  withOptions.searchParams.set('options', STARTUP_OPTIONS)
  const variant = async (name: string, apiUrl: string, clients: number) => {
    const api = await startApi({ apiUrl, closers, env: { DATABASE_DIRECT_URL: postgres.apiUrl } })
    return withCpuTime(name, cpu.of(api), {
      run: () =>
        loadOverHttp(api.hello, { clients, seconds: quick ? 1 : 2 }, () => {
          const player = 1 + Math.floor(Math.random() * PLAYERS)
          return postRequest(claimWorker.path, player, { workerId: workerOf(player) })
        }),
    })
  }
  const pooledUrl = found.through(postgres.apiUrl)
  const variants = [
    await variant(DIRECT, postgres.apiUrl, 128),
    await variant(POOLED, pooledUrl, 128),
    await variant(OPTIONS, withOptions.href, 128),
    await variant('straight to Postgres, 1 at once', postgres.apiUrl, 1),
    await variant('through PgBouncer, 1 at once', pooledUrl, 1),
  ]
  await prepareCluster(postgres.ownerUrl)
  await measureRounds(variants, {
    rounds: quick ? 3 : 7,
    say,
    prepare: () => refreshSessions(postgres.ownerUrl),
    audit: () => expectCleanAudit(owner),
  })
  return {
    base: DIRECT,
    unit: 'claims',
    variants: variants.map(({ variant: each }) => each),
    targets: [
      { what: 'through PgBouncer, over straight', of: POOLED, over: DIRECT },
      { what: 'settings on the login, over startup options', of: DIRECT, over: OPTIONS },
    ],
    facts: { PgBouncer: 'the sample of deploy/cluster, on the same two processors' },
  }
}
