import { tmpdir } from 'node:os'
import { PARCELS } from '#game/world.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { replyOf } from '#server/platform/answer.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Db, openDb, rowOf, sql } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { applyWorld } from '#server/world/apply-world.ts'
import { readWorldFile } from '#server/world/world-config.ts'
import { withDatabase } from '#server/processes/postgres/postgres.ts'
import { type BenchPostgres, PASSWORDS } from '../bench-postgres.ts'
import { expectCleanAudit, openOwnerDb } from '../audit.ts'
import { runAsOwner, walletOf, walletSql } from '../seed-players.ts'
import type { Run } from '../suite.ts'
import type { World } from './operations.ts'
import { openCostReader } from './read-cost.ts'

/** A database that was filled past the game. */
export type OpenedWorld = World & {
  ownerUrl: string
  /** Its size on disk, and the cache of Postgres. */
  sizes(): Promise<{ onDisk: string; cache: string }>
  /** Journals of one kind. */
  count(kind: 'claim' | 'hire'): Promise<number>
  /** Runs the audit. */
  audit(): Promise<void>
}

/** A database with this many workers, one for each player. */
export type FilledWorld = OpenedWorld & {
  workers: number
  /** Claims that it was filled with. */
  claimed: number
}

// Every player has one adjustment and four claims, which are ten entries, so that the sizes differ only in the number of
// players. For every four players there is one more with only the adjustment, who hires.
const CLAIMS = 4
const ENTRIES_EACH = 2 + 2 * CLAIMS
const HIRERS = 0.25
const CREDIT = 100_000_000_000_000n
const CLAIMED = 1_000_000n

// Rows per statement: the triggers check the rows of a statement together.
const LOT = 50_000

/** The number of entries in a world with this many workers. */
export const entriesOf = (workers: number): number => workers * ENTRIES_EACH + hirersOf(workers) * 2

const hirersOf = (workers: number): number => Math.ceil(workers * HIRERS)

export const formatted = (count: number): string => count.toLocaleString('en')

const CONNECTIONS = 10

const readSizes = sql({
  name: 'bench-read-sizes',
  row: rowOf<{ onDisk: string; cache: string }>(),
  text: `select pg_size_pretty(pg_database_size(current_database())) as "onDisk", current_setting('shared_buffers') as cache`,
})

const countMoves = sql({
  name: 'bench-count-moves',
  params: { kind: 'move_kind' },
  row: rowOf<{ moves: bigint }>(),
  text: ({ kind }) => `select count(*) as moves from journals where kind = ${kind}`,
})

type WorldOptions = Pick<World, 'label' | 'hirerFor'> & {
  /** Of the new database. */
  name: string
  /** Players that act. */
  players: number
  fill(ownerUrl: string): Promise<void>
} & Pick<Run, 'closers'>

/** Fills a new database. */
export async function openWorld(
  { ownerUrl, apiUrl }: BenchPostgres,
  { name, label, players, hirerFor, fill, closers }: WorldOptions,
): Promise<OpenedWorld> {
  await runAsOwner(ownerUrl, [`create database ${name}`])
  const owner = withDatabase(ownerUrl, name)
  await migrate({ url: owner, passwords: PASSWORDS, ownCluster: true })
  await applyWorld(owner, readWorldFile({ worldFile: '', dataDir: tmpdir() }))
  // No crash safety while filling: the database is deleted after the run anyway.
  await runAsOwner(owner, ['alter system set full_page_writes = off', 'select pg_reload_conf()'])
  await fill(owner)
  await runAsOwner(owner, ['alter system reset all', 'select pg_reload_conf()', 'checkpoint'])
  const db = openDb(withDatabase(apiUrl, name), { max: CONNECTIONS, applicationName: 'bench-growth' })
  closers.push(() => db.end())
  await ownLand(db, players)
  // Ten million entries take longer to read than the usual statement timeout.
  const books = openOwnerDb(`${owner}?statement_timeout=900000`, { closers })
  return {
    label,
    db,
    hirerFor,
    ownerUrl: owner,
    nextPlayer: inTurn(players),
    readCost: openCostReader(owner, { db, connections: CONNECTIONS, closers }),
    sizes: async () => (await books.rows(readSizes))[0]!,
    count: async (kind) => Number((await books.rows(countMoves, { kind }))[0]!.moves),
    audit: () => expectCleanAudit(books),
  }
}

/** Fills a new database with journals that the triggers of the ledger accept. */
export async function fillWorld(
  postgres: BenchPostgres,
  workers: number,
  closers: Run['closers'],
): Promise<FilledWorld> {
  const world = await openWorld(postgres, {
    name: `growth_${workers}`,
    label: `${formatted(workers)} workers`,
    players: workers,
    // One of the players who only hire, so that no other player of a small world gets many workers.
    hirerFor: (player) => walletOf(workers + 1 + (player % hirersOf(workers))),
    fill: (ownerUrl) => fill(ownerUrl, workers),
    closers,
  })
  return { ...world, workers, claimed: workers * CLAIMS }
}

/** All players in random order, again and again. */
function inTurn(count: number): () => number {
  const players = Int32Array.from({ length: count }, (_, at) => at + 1)
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1))
    const player = players[at]!
    players[at] = players[other]!
    players[other] = player
  }
  let turn = 0
  return () => players[turn++ % count]!
}

async function fill(ownerUrl: string, workers: number): Promise<void> {
  const atWork = `generate_series(1, ${workers}) as player`
  const last = workers + hirersOf(workers)
  const everybody = `generate_series(1, ${last}) as player`
  const worker = `'bigman-' || lpad(player::text, greatest(4, length(player::text)), '0')`
  const claims = `case when player > ${workers} then 0 else ${CLAIMS} end`
  await runAsOwner(ownerUrl, [
    'set synchronous_commit = off',
    `insert into users (wallet, created_at) select ${walletSql('player')}, now() from ${everybody}`,
    `insert into accounts (wallet, class, balance, version)
     select ${walletSql('player')}, class, balance, version from ${everybody},
       lateral (values ('deposited'::credit_class, ${CREDIT}, 1), ('earned', ${CLAIMED} * (${claims}), ${claims}))
         as held (class, balance, version)`,
    `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, claimed, purchased_at)
     select ${walletSql('player')}, ${worker}, 'bigman', 100000, now() - interval '1 hour', ${BigInt(CLAIMS) * CLAIMED},
       now() - interval '1 hour'
     from ${atWork}`,
    `update worker_types set max_supply = ${workers}, sold = ${workers} where worker_type = 'bigman'`,
    `update worker_types set max_supply = 2000000000 where worker_type = 'kid'`,
    // One group of players after the other, so that the indexes grow at their ends. Within a group in the order of time,
    // so that no two journals of a player share a page.
    ...lots({ first: 1, last: workers }).flatMap((lot) =>
      Array.from({ length: 1 + CLAIMS }, (_, move) => moveOf(lot, move)),
    ),
    ...lots({ first: workers + 1, last }).map((lot) => moveOf(lot, 0)),
    'vacuum analyze',
  ])
}

type Lot = { first: number; last: number }

const lots = ({ first, last }: Lot): Lot[] =>
  Array.from({ length: Math.ceil((last - first + 1) / LOT) }, (_, at) => ({
    first: first + at * LOT,
    last: Math.min(last, first + (at + 1) * LOT - 1),
  }))

/** One journal for each of these players: their initial credit, or their next claim. */
function moveOf({ first, last }: Lot, move: number): string {
  const [kind, from, to, amount] =
    move === 0 ? ['adjustment', 'treasury', 'deposited', CREDIT] : ['claim', 'emission', 'earned', CLAIMED]
  const [after, version] = move === 0 ? [CREDIT, 1] : [BigInt(move) * CLAIMED, move]
  return `with given as materialized (
      select uuidv7() as id, ${walletSql('player')} as wallet from generate_series(${first}, ${last}) as player
    ), booked as (
      insert into journals (id, wallet, kind, at, detail) select id, wallet, '${kind}', now(), '{}' from given
    )
    insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
    select wallet, id, 0, '${from}'::ledger_account, ${-(amount as bigint)}, null::bigint, null::bigint from given
    union all
    select wallet, id, 1, '${to}', ${amount}, ${after}, ${version} from given`
}

/** The first players own all land, as in every world. */
async function ownLand(db: Db, players: number): Promise<void> {
  const purchases = PARCELS.map(({ parcelId }, at) => ({
    wallet: walletOf(1 + (at % players)),
    parcelId,
    expectedPrice: null,
    key: null,
  }))
  const answers = await db.transaction((tx) => buyParcels(tx, purchases, systemClock))
  answers.forEach(replyOf)
}
