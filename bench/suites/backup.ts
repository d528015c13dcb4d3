import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { claimWorker } from '#contract/workers.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { expectCleanAudit, openOwnerDb } from '../audit.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { sharedCpuSources, withCpuTime } from '../cpu-columns.ts'
import { loadOverHttp } from '../load.ts'
import { measureRounds, type Measurement, type TimedVariant } from '../measure-rounds.ts'
import { postRequest } from '../requests.ts'
import { PLAYERS, prepareCluster, refreshSessions, seedPlayers, workerOf } from '../seed-players.ts'
import { startApi } from '../start-api.ts'
import { type Measured, type Run, suiteOf, type Target } from '../suite.ts'

/** Acknowledged claims per second, with backups running one after the other and without. */
export const backup = suiteOf('Claims while a backup is made', measure)

const CLIENTS = 128
const WITHOUT = 'without a backup'
const WITH = 'while backups are made, one after the other'

const TARGETS: Target[] = [
  { what: 'Claims with a backup, over those without', of: WITH, over: WITHOUT, atLeast: 0.9 },
]

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedPlayers(postgres.ownerUrl)
  const owner = openOwnerDb(postgres.ownerUrl, { closers })
  const api = await startApi({ apiUrl: postgres.apiUrl, closers })
  const seconds = quick ? 3 : 10
  const folder = resolve(import.meta.dirname, `../../.data/bench-backups-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const claim = async (): Promise<Measurement> =>
    loadOverHttp(api.hello, { clients: CLIENTS, seconds }, someClaim)
  const backups = { made: 0, ms: 0 }
  const sources = await sharedCpuSources(owner)
  const cpu = { ...sources.of(api), load: undefined }
  const variants: TimedVariant[] = [
    withCpuTime(WITHOUT, cpu, { run: claim }),
    withCpuTime(WITH, cpu, {
      async run() {
        const running = { on: true }
        const work = makeBackups({ url: postgres.ownerUrl, folder, running, made: backups })
        const measured = await claim()
        running.on = false
        await work
        return measured
      },
    }),
  ]
  const read = async () => Number((await owner.rows(countClaims))[0]!.claims)
  let booked = await read()
  await prepareCluster(postgres.ownerUrl)
  await measureRounds(variants, {
    rounds: quick ? 2 : 5,
    say,
    prepare: () => refreshSessions(postgres.ownerUrl),
    async check({ done }) {
      const now = await read()
      if (now - booked !== done)
        throw new Error(`${done} claims were acknowledged and ${now - booked} were booked`)
      booked = now
    },
    audit: () => expectCleanAudit(owner),
  })
  return {
    base: WITHOUT,
    unit: 'claims',
    variants: variants.map(({ variant }) => variant),
    targets: TARGETS,
    facts: {
      'Clients at once': CLIENTS,
      'Backups made and read back': backups.made,
      'Mean time of a backup under load': `${(backups.ms / backups.made / 1000).toFixed(1)} s`,
      'Claims in the ledger at the end': booked,
    },
  }
}

const countClaims = sql({
  name: 'bench-backup-count',
  row: rowOf<{ claims: bigint }>(),
  text: `select count(*) as claims from journals where kind = 'claim'`,
})

function someClaim(): string {
  const player = 1 + Math.floor(Math.random() * PLAYERS)
  return postRequest(claimWorker.path, player, { workerId: workerOf(player) })
}

type Backups = { url: string; folder: string; running: { on: boolean }; made: { made: number; ms: number } }

/** Makes backups until the measurement is over. Each is a process of its own, as in the product. */
async function makeBackups({ url, folder, running, made }: Backups): Promise<void> {
  while (running.on) {
    const file = join(folder, `${made.made}.tar.zst`)
    const began = performance.now()
    await runBackup(url, { folder, file })
    made.made += 1
    made.ms += performance.now() - began
    rmSync(file)
  }
}

const MAIN = resolve(import.meta.dirname, '../../server/main.ts')

function runBackup(url: string, { folder, file }: { folder: string; file: string }): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: url, DATA_DIR: folder }
  return new Promise((done, reject) => {
    execFile(process.execPath, [MAIN, 'ops', 'backup', file], { env }, (error) =>
      error ? reject(error) : done(),
    )
  })
}
