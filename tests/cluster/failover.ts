import { parseArgs } from 'node:util'
import { cotton } from '#game/cotton.ts'
import { depositEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { type Db, openDb, rowOf, sql } from '#server/platform/db/db.ts'
import { createFundedPlayer, type Player } from '#tests/e2e/funded-player.ts'
import { failOver, FAILURES } from './fail-over.ts'
import { startHiring } from './failover-load.ts'
import { startGameCluster } from './game-cluster.ts'

const USAGE = `npm run test:failover -- [--rounds N]

  --rounds N   how often the primary is lost, 1 to 1000 (6): killed, frozen and switched over in turn

Players hire through HAProxy and two apis meanwhile. Every acknowledged hire must be there once at the end.`

const { values } = parseArgs({ options: { rounds: { type: 'string' } } })
const rounds = Number(values.rounds ?? 6)
if (!(Number.isInteger(rounds) && rounds >= 1 && rounds <= 1000)) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}

const PLAYERS = 4

const readHired = sql({
  name: 'test-hired',
  params: { wallets: 'text[]' },
  row: rowOf<{ id: string }>(),
  text: ({ wallets }) => `select worker_id as id from workers where wallet = any (${wallets})`,
})

const moreSupply = sql({ name: 'test-more-supply', text: `update worker_types set max_supply = 1000000000` })

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)
const cluster = await startGameCluster({ settings: { RATE_LIMITS: 'off' }, say })
const faults: string[] = []
try {
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => createFundedPlayer(0, cluster.url)))
  await withDb((db) => fund(db, players))
  const { seen, stop } = startHiring(cluster.url, players)
  const gaps: number[] = []
  const floors: number[] = []
  for (let round = 0; round < rounds; round++) {
    const failure = FAILURES[round % FAILURES.length]!
    const from = Date.now()
    const floor = await failOver(cluster.database, failure)
    const gap = longestGap(seen.hires, from, Date.now())
    floors.push(floor)
    gaps.push(gap)
    say(
      `${round + 1}. ${failure}: another primary after ${floor} ms, no hire for ${gap} ms, ${seen.hires.length} hires`,
    )
  }
  await stop()
  faults.push(...seen.faults)
  const stored = await withDb((db) => db.rows(readHired, { wallets: players.map(({ address }) => address) }))
  faults.push(...compare(seen.hires, stored))
  faults.push(
    ...(await withDb(async (db) => (await auditBooks(db)).map((finding) => JSON.stringify(finding)))),
  )
  say(`${seen.hires.length} acknowledged hires, ${stored.length} stored.`)
  say(`Without a hire: median ${median(gaps)} ms, worst ${Math.max(...gaps)} ms.`)
  say(`Until another primary: median ${median(floors)} ms, worst ${Math.max(...floors)} ms.`)
} finally {
  await cluster.stop()
}
for (const fault of faults.slice(0, 20)) say(fault)
say(faults.length === 0 ? 'Nothing was lost or done twice.' : `${faults.length} faults.`)
process.exitCode = faults.length === 0 ? 0 : 1

async function withDb<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb(cluster.databaseUrl, { max: 2, applicationName: 'failover', allowFullScans: true })
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

/** Enough credit and pickers for any number of hires. */
async function fund(db: Db, players: readonly Player[]): Promise<void> {
  await db.rows(moreSupply)
  await db.transaction(async (tx) => {
    const ledger = await openLedger(
      tx,
      players.map(({ address }) => address),
    )
    for (const { address: wallet } of players) {
      const entries = depositEntries(wallet, cotton(100_000_000_000))
      ledger.post({ wallet, at: new Date(), kind: 'adjustment', detail: { reason: 'test' }, entries })
    }
    await ledger.write()
  })
}

/** The longest time in which nothing was acknowledged, in ms. */
function longestGap(hires: readonly { at: number }[], from: number, to: number): number {
  const times = [from, ...hires.map(({ at }) => at).filter((at) => at >= from), to]
  return Math.max(...times.slice(1).map((at, index) => at - times[index]!))
}

function compare(hires: readonly { workerId: string }[], stored: readonly { id: string }[]): string[] {
  const acknowledged = new Set(hires.map(({ workerId }) => workerId))
  const found = new Set(stored.map(({ id }) => id))
  return [
    ...[...acknowledged].filter((id) => !found.has(id)).map((id) => `${id} was acknowledged and is lost.`),
    ...[...found]
      .filter((id) => !acknowledged.has(id))
      .map((id) => `${id} was hired and never acknowledged.`),
    ...(acknowledged.size < hires.length
      ? [`${hires.length - acknowledged.size} hires were answered twice.`]
      : []),
  ]
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
