import {
  MOST_SESSIONS,
  type listPlayers as listRoute,
  type readPlayer as route,
  type PlayerFacts,
} from '#contract/console/players.ts'
import type { ConsoleCall, ConsoleReply } from '#contract/console/route.ts'
import { claimable, type WorkerType } from '#game/workers.ts'
import { parcelOf } from '#game/world.ts'
import { OPEN_WINDOW, openWindow, recentWhere } from '#server/account/sessions.ts'
import { boundedName } from '#server/platform/db/bounded-name.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { readLock } from '#server/withdrawals/withdrawal-lock.ts'
import { accrualOf, type AccrualRow } from '#server/workers/accrual.ts'
import type * as z from 'zod/mini'
import { exact, instant, instantOrNull } from './exact.ts'
import { fromCursor, PAGE_ROWS, toPage } from './pages.ts'
import { refuseCall } from './refuse.ts'

type Facts = z.output<typeof PlayerFacts>
type Session = ConsoleReply<typeof route>['sessions'][number]

const balancesOf = (wallet: string): string =>
  `coalesce((select a.balance from accounts a where a.wallet = ${wallet} and a.class = 'deposited'), 0) as deposited,
   coalesce((select a.balance from accounts a where a.wallet = ${wallet} and a.class = 'earned'), 0) as earned`

// Addresses sort by their bytes, so all that begin with the same letters are one range, whatever the locale is.
const readPage = sql({
  name: 'console-list-players',
  params: { from: 'text', before: 'text', limit: 'integer' },
  row: rowOf<{ wallet: string; createdAt: Date; deposited: bigint; earned: bigint; frozen: boolean }>(),
  text: ({ from, before, limit }) =>
    `select u.wallet, u.created_at as "createdAt", ${balancesOf('u.wallet')},
       exists (select from frozen_wallets f where f.wallet = u.wallet) as frozen
     from (
       select wallet, created_at from users
       where wallet collate "C" > ${from} and wallet collate "C" < ${before}
       order by wallet collate "C" limit ${limit}
     ) u order by u.wallet collate "C"`,
})

/** Above every base58 letter, as a byte. */
const AFTER_ALL = '~'

/** A page of players whose addresses begin with the search. */
export async function listPlayers(
  db: Queryable,
  { search = '', cursor }: ConsoleCall<typeof listRoute>['query'],
): Promise<ConsoleReply<typeof listRoute>> {
  const [after] = fromCursor(cursor, 1) ?? []
  // The byte before the first letter: the address itself is found, too.
  const from = after ?? (search === '' ? '' : `${search.slice(0, -1)}${previousByte(search)}${AFTER_ALL}`)
  const rows = await db.rows(readPage, { from, before: `${search}${AFTER_ALL}`, limit: PAGE_ROWS + 1 })
  return toPage(rows, {
    key: ({ wallet }) => [wallet],
    item: ({ wallet, createdAt, deposited, earned, frozen }) => ({
      wallet,
      createdAt: instant(createdAt),
      deposited: exact(deposited),
      earned: exact(earned),
      frozen,
    }),
  })
}

const previousByte = (search: string): string => String.fromCharCode(search.charCodeAt(search.length - 1) - 1)

const readFacts = sql({
  name: 'console-player-facts',
  params: { wallet: 'text' },
  row: rowOf<{
    createdAt: Date | null
    deposited: bigint
    earned: bigint
    held: bigint
    open: number
    isPlayer: boolean
    freezeId: string | null
    reason: string | null
    since: Date | null
    by: string | null
  }>(),
  text: ({ wallet }) =>
    `select u.created_at as "createdAt", ${balancesOf(wallet)},
       u.wallet is not null or exists (select from accounts a where a.wallet = ${wallet}) as "isPlayer",
       coalesce(o.held, 0)::bigint as held, coalesce(o.open, 0)::integer as open,
       f.id::text as "freezeId", f.reason, f.at as since, ${boundedName('f.who')} as by
     from (values (${wallet})) asked (wallet)
     left join users u on u.wallet = asked.wallet
     left join frozen_wallets f on f.wallet = asked.wallet
     left join lateral (
       select sum(deposited + earned) as held, count(*) as open from withdrawals w
       where w.wallet = asked.wallet and w.state not in ('finalized', 'refunded')
     ) o on true`,
})

/** What is known of a wallet; null if it is of no player. */
export async function readPlayerFacts(db: Queryable, wallet: string): Promise<Facts | null> {
  const [row] = await db.rows(readFacts, { wallet })
  if (!row?.isPlayer) return null
  const { freezeId: id, reason, since, by } = row
  return {
    wallet,
    createdAt: instantOrNull(row.createdAt),
    deposited: exact(row.deposited),
    earned: exact(row.earned),
    held: exact(row.held),
    frozen:
      id !== null && reason !== null && since && by !== null
        ? { id, reason, since: instant(since), by }
        : null,
    openWithdrawals: row.open,
  }
}

const readPlace = sql({
  name: 'console-player-place',
  params: { wallet: 'text' },
  row: rowOf<{ address: string }>(),
  text: ({ wallet }) => `select owner as address from deposit_addresses where wallet = ${wallet}`,
})

/** The sums of a player with very many workers are limited to the first ones. */
const MAX_WORKERS = 10_000

const readWorkers = sql({
  name: 'console-player-workers',
  params: { wallet: 'text', limit: 'integer' },
  row: rowOf<Worker>(),
  text: ({ wallet, limit }) =>
    `select worker_type as type, rate_per_hour, base, since, claimed from workers
     where wallet = ${wallet} order by worker_id limit ${limit}`,
})

// The world has a few hundred parcels.
const readLand = sql({
  name: 'console-player-land',
  params: { wallet: 'text' },
  row: rowOf<{ parcelId: string; boughtAt: Date; pricePaid: bigint; parcels: number }>(),
  text: ({ wallet }) =>
    `select parcel_id as "parcelId", bought_at as "boughtAt", price_paid as "pricePaid",
       (count(*) over ())::integer as parcels
     from land where wallet = ${wallet} order by bought_at desc, parcel_id limit 200`,
})

const readSessions = sql({
  name: 'console-player-sessions',
  params: { wallet: 'text', ...OPEN_WINDOW },
  row: rowOf<Omit<Session, 'createdAt' | 'seenAt'> & { createdAt: Date; seenAt: Date }>(),
  text: ({ wallet, ...of }) =>
    `select id::text, device, address, created_at as "createdAt", seen_at as "seenAt",
       ended_at is null and ${recentWhere(of)} as active
     from sessions where wallet = ${wallet} and created_at > ${of.createdAfter}
     order by created_at desc limit ${MOST_SESSIONS}`,
})

/** What is known of one player, read at one moment. */
export async function readPlayer(
  db: Queryable,
  { wallet, now }: { wallet: string; now: Date },
): Promise<ConsoleReply<typeof route>> {
  const [player, [place], lock, workers, land, sessions] = await Promise.all([
    readPlayerFacts(db, wallet),
    db.rows(readPlace, { wallet }),
    readLock(db, wallet, now),
    db.rows(readWorkers, { wallet, limit: MAX_WORKERS + 1 }),
    db.rows(readLand, { wallet }),
    db.rows(readSessions, { wallet, ...openWindow(now) }),
  ])
  if (!player) refuseCall('player_not_found')
  return {
    player,
    depositAddress: place?.address ?? null,
    lockHours: lock.hours,
    workers: sumWorkers(workers.slice(0, MAX_WORKERS), now),
    moreWorkers: workers.length > MAX_WORKERS,
    land: land.map(({ parcelId, boughtAt, pricePaid }) => ({
      parcelId,
      name: parcelOf(parcelId)?.countryName ?? parcelId,
      boughtAt: instant(boughtAt),
      pricePaid: exact(pricePaid),
    })),
    parcels: land[0]?.parcels ?? 0,
    sessions: sessions.map(({ createdAt, seenAt, ...session }) => ({
      ...session,
      createdAt: instant(createdAt),
      seenAt: instant(seenAt),
    })),
  }
}

type Worker = AccrualRow & { type: WorkerType }

function sumWorkers(workers: readonly Worker[], now: Date): ConsoleReply<typeof route>['workers'] {
  const byType = Map.groupBy(workers, ({ type }) => type)
  return [...byType].map(([type, some]) => {
    const sum = (of: (worker: Worker) => bigint) => some.reduce((total, each) => total + of(each), 0n)
    return {
      type,
      count: some.length,
      ratePerHour: some.reduce((total, each) => total + each.rate_per_hour, 0),
      claimed: exact(sum(({ claimed }) => claimed)),
      unclaimed: exact(sum((each) => claimable(accrualOf(each), now))),
    }
  })
}
