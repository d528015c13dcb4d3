import { setTimeout as sleep } from 'node:timers/promises'
import { claimWorker } from '#contract/workers.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { expectCleanAudit, openOwnerDb } from '../audit.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { sharedCpuSources, withCpuTime } from '../cpu-columns.ts'
import { type Load, loadOverHttp } from '../load.ts'
import { measureRounds, type Measurement } from '../measure-rounds.ts'
import { postRequest } from '../requests.ts'
import { PLAYERS, prepareCluster, refreshSessions, seedPlayers, workerOf } from '../seed-players.ts'
import { startApi } from '../start-api.ts'
import { type Measured, type Run, suiteOf } from '../suite.ts'

/** Claims over one, two and four apis, by processor time: on a machine with few processors the clock cannot show it. */
export const apis = suiteOf('Claims over several apis', measure)

const COUNTS = [1, 2, 4]
const EACH = 128
const SAMPLE_MS = 20

const nameOf = (count: number, clients: number): string =>
  `${count} ${count === 1 ? 'api' : 'apis'}, ${clients} at once`

/** The same load for all of them together, and for each of them. */
const SIZES = COUNTS.flatMap((count) =>
  [...new Set([EACH, EACH * count])].map((clients) => ({ count, clients })),
)

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedPlayers(postgres.ownerUrl)
  const owner = openOwnerDb(postgres.ownerUrl, { closers })
  const cpu = await sharedCpuSources(owner)
  const started = await Promise.all(
    Array.from({ length: Math.max(...COUNTS) }, () => startApi({ apiUrl: postgres.apiUrl, closers })),
  )
  const variants = SIZES.map(({ count, clients }) => {
    const used = started.slice(0, count)
    const urls = used.map(({ hello }) => hello)
    return withCpuTime(nameOf(count, clients), cpu.of(...used), {
      run: () => claimAndSample(owner, urls, { clients, seconds: quick ? 1 : 2 }),
    })
  })
  await prepareCluster(postgres.ownerUrl)
  await measureRounds(variants, {
    rounds: quick ? 3 : 7,
    say,
    prepare: () => refreshSessions(postgres.ownerUrl),
    audit: () => expectCleanAudit(owner),
  })
  const one = nameOf(1, EACH)
  const compared = SIZES.filter(({ count }) => count > 1).map(({ count, clients }) => nameOf(count, clients))
  return {
    base: one,
    unit: 'claims',
    variants: variants.map(({ variant }) => variant),
    targets: ['µs of the api', 'µs of Postgres'].flatMap((figure) =>
      compared.map((name) => ({ what: `${figure}, over one api: ${name}`, of: name, over: one, figure })),
    ),
    facts: {
      'Load generator': 'a process of its own, on the same processors as the apis and Postgres',
      'How waits are counted': `what the active connections of the apis wait for, every ${SAMPLE_MS} ms`,
    },
  }
}

const WAITS: Readonly<Record<string, readonly string[]>> = {
  '% of Postgres waiting for locks': ['Lock'],
  '% waiting for the WAL and the disk': ['IO', 'LWLock', 'IPC', 'Timeout'],
  '% running': ['none'],
}

const readWaits = sql({
  name: 'bench-apis-waits',
  row: rowOf<{ wait: string; count: number }>(),
  text: `select coalesce(wait_event_type, 'none') as wait, count(*)::int as count from pg_stat_activity
     where usename = 'api' and datname = current_database() and state = 'active' group by 1`,
})

/** Claims over these apis, with what their connections wait for meanwhile, in percent of all samples. */
async function claimAndSample(owner: Db, urls: readonly string[], size: Load): Promise<Measurement> {
  const counts: Record<string, number> = {}
  const over = new AbortController()
  const sampling = (async () => {
    while (!over.signal.aborted) {
      for (const { wait, count } of await owner.rows(readWaits)) counts[wait] = (counts[wait] ?? 0) + count
      await sleep(SAMPLE_MS, undefined, { signal: over.signal }).catch(() => undefined)
    }
  })()
  // Each client has players of its own: nobody claims at two apis at once, so no batch waits for that of another api.
  const each = Math.floor(PLAYERS / size.clients)
  const loaded = await loadOverHttp(urls, size, (client) => {
    const player = 1 + client * each + Math.floor(Math.random() * each)
    return postRequest(claimWorker.path, player, { workerId: workerOf(player) })
  })
  over.abort()
  await sampling
  // A connection between two statements of a transaction waits for its api, which is no work of Postgres.
  const sum = Object.values(WAITS)
    .flat()
    .reduce((total, wait) => total + (counts[wait] ?? 0), 0)
  const shareOf = (waits: readonly string[]) =>
    (waits.reduce((total, wait) => total + (counts[wait] ?? 0), 0) / Math.max(1, sum)) * 100
  const more = Object.entries(WAITS).map(([title, waits]) => [title, shareOf(waits)] as const)
  return { ...loaded, more: Object.fromEntries(more) }
}
