import type { FastifyRequest } from 'fastify'
import type { ReplyOf } from '#contract/route.ts'
import { LISTED_SESSIONS, type readSessions } from '#contract/sessions.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, rowOf, sql, type Tx } from '#server/platform/db/db.ts'
import { createBatcher } from '#server/platform/batcher.ts'
import type { Authenticate, Client, Player } from '#server/platform/http/serve.ts'
import { describeDevice, shortenAddress } from './describe-client.ts'
import { hashToken } from './session-token.ts'

const IDLE_MS = 24 * 3_600_000
const ABSOLUTE_MS = 7 * 24 * 3_600_000

// A session that another process ended is refused here within this time. It needs no notification.
const CACHE_MS = 1_000
const MAX_CACHED_SESSIONS = 50_000

// `seen_at` may be this old before it is written again. Its precision only matters against one day.
const TOUCH_INTERVAL_MS = 60_000

/**
 * A session is open if it was last used after `seenAfter` and opened between the other two, and has not been ended. One that
 * a clock opened that was ahead must not last until the time comes that it had shown.
 */
export const openWindow = (now: Date): Record<keyof typeof OPEN_WINDOW, Date> => ({
  seenAfter: new Date(now.getTime() - IDLE_MS),
  createdAfter: new Date(now.getTime() - ABSOLUTE_MS),
  createdBefore: new Date(now.getTime() + ABSOLUTE_MS),
})

const staleAt = (now: Date): Date => new Date(now.getTime() - TOUCH_INTERVAL_MS)

export type Sessions = {
  /** Opens a session in the login's transaction. Only the hash of its token is stored. */
  open(tx: Tx, login: { token: string; wallet: string; now: Date; client?: Client }): void
  /** Whether the token's session was opened. */
  isOpen(tx: Tx, token: string): Promise<boolean>
  authenticate: Authenticate
  /** Ends a session: at once in this process, within a second in all others. */
  end(player: Player): Promise<void>
  /** Ends one of the player's sessions, or with null all but the caller's. Returns how many ended. */
  endOf(player: Player, id: string | null): Promise<number>
  /** The caller's session and the player's newest others of the last seven days, the newest first. */
  list(player: Player): Promise<SessionView[]>
}

type SessionView = ReplyOf<typeof readSessions>['sessions'][number]

const openSession = sql({
  name: 'sessions-open',
  params: { tokenHash: 'bytea', wallet: 'text', now: 'timestamptz', device: 'text', address: 'text' },
  text: ({ tokenHash, wallet, now, device, address }) =>
    `insert into sessions (token_hash, wallet, created_at, seen_at, device, address)
     values (${tokenHash}, ${wallet}, ${now}, ${now}, ${device}, ${address})`,
})

const findOpened = sql({
  name: 'sessions-find-opened',
  params: { tokenHash: 'bytea' },
  row: rowOf<{ wallet: string }>(),
  text: ({ tokenHash }) => `select wallet from sessions where token_hash = ${tokenHash}`,
})

/** The parameters of `recentWhere`, whose values are an `openWindow`. */
export const OPEN_WINDOW = {
  seenAfter: 'timestamptz',
  createdAfter: 'timestamptz',
  createdBefore: 'timestamptz',
} as const

const LOOKUP = {
  tokenHashes: 'bytea[]',
  ...OPEN_WINDOW,
  /** A session that was last seen before this time has to be touched. */
  staleBefore: 'timestamptz',
} as const

const openWhere = (of: { tokenHashes: string }): string =>
  `token_hash = any(${of.tokenHashes}) and ended_at is null`

export const recentWhere = (of: Record<keyof typeof OPEN_WINDOW, string>): string =>
  `(seen_at > ${of.seenAfter} and created_at > ${of.createdAfter} and created_at < ${of.createdBefore})`

const findSessions = sql({
  name: 'sessions-find',
  params: LOOKUP,
  row: rowOf<{ token_hash: Buffer; wallet: string; active: boolean; stale: boolean }>(),
  text: (of) =>
    `select token_hash, wallet, ${recentWhere(of)} as active, seen_at <= ${of.staleBefore} as stale
     from sessions where ${openWhere(of)}`,
})

const countSessions = sql({
  name: 'sessions-count',
  params: LOOKUP,
  row: rowOf<{ active: number; stale: boolean }>(),
  text: (of) =>
    `select count(*)::integer as active, coalesce(bool_or(seen_at <= ${of.staleBefore}), false) as stale
     from sessions where ${openWhere(of)} and ${recentWhere(of)}`,
})

// A locked row is skipped: another transaction is updating it anyway. Waiting could deadlock, because two batches may
// contain the same players in different orders.
const touchSessions = sql({
  name: 'sessions-touch',
  params: { tokenHashes: 'bytea[]', now: 'timestamptz', staleBefore: 'timestamptz' },
  text: ({ tokenHashes, now, staleBefore }) =>
    `update sessions set seen_at = ${now} where token_hash in (
       select token_hash from sessions where token_hash = any(${tokenHashes}) and seen_at <= ${staleBefore}
       for update skip locked
     )`,
})

// What was refused once stays ended, also when the clock is set back.
const endExpired = sql({
  name: 'sessions-end-expired',
  params: { tokenHashes: 'bytea[]', ...OPEN_WINDOW, now: 'timestamptz' },
  text: (of) =>
    `update sessions set ended_at = ${of.now} where token_hash in (
       select token_hash from sessions where ${openWhere(of)} and not ${recentWhere(of)} for update skip locked
     )`,
})

const endSession = sql({
  name: 'sessions-end',
  params: { tokenHash: 'bytea', now: 'timestamptz' },
  text: ({ tokenHash, now }) =>
    `update sessions set ended_at = ${now} where token_hash = ${tokenHash} and ended_at is null`,
})

/** How many sessions one statement ends, so that it ends in time however many a wallet has. */
const ENDED_AT_ONCE = 10_000

// The rows are locked where they are found. One that another call ends meanwhile is replaced by the next, so that fewer
// than the limit are found only if none is left.
const endSessionsOf = sql({
  name: 'sessions-end-of',
  params: { wallet: 'text', except: 'bytea', id: 'uuid | null', now: 'timestamptz', limit: 'integer' },
  row: rowOf<{ token_hash: Buffer }>(),
  text: ({ wallet, except, id, now, limit }) =>
    `update sessions set ended_at = ${now} where ended_at is null and token_hash = any(array(
       select token_hash from sessions where wallet = ${wallet} and ended_at is null
         and case when ${id} is null then token_hash <> ${except} else id = ${id} end limit ${limit} for no key update
     )) returning token_hash`,
})

// However many logins are newer, the caller's is listed: a browser that knows none of the logins takes all of them for known.
const listSessions = sql({
  name: 'sessions-list',
  params: { wallet: 'text', ...OPEN_WINDOW, own: 'bytea', others: 'integer' },
  row: rowOf<Omit<SessionView, 'createdAt' | 'seenAt'> & { createdAt: Date; seenAt: Date }>(),
  text: ({ wallet, own, others, ...of }) =>
    `select id::text, device, address, created_at as "createdAt", seen_at as "seenAt",
       ended_at is null and ${recentWhere(of)} as active, token_hash = ${own} as current
     from (
       (select * from sessions where wallet = ${wallet} and token_hash = ${own})
       union all
       (select * from sessions where wallet = ${wallet} and token_hash <> ${own} and created_at > ${of.createdAfter}
        order by created_at desc limit ${others})
     ) listed order by created_at desc`,
})

type CachedSession = { player: Player; expiresAtMs: number }

/**
 * Sessions by opaque token. Each token is looked up at most once a second.
 *
 * A token always belongs to the same wallet. An action with a cached token therefore needs no lookup first: the session
 * is re-validated in the same round trip as the write.
 */
export function createSessions({ db, clock }: { db: Db; clock: Clock }): Sessions {
  const cache = new Map<string, CachedSession>()
  /** How often sessions were ended here. What was looked up before such an end is not cached. */
  let endings = 0

  // Concurrent calls share one lookup.
  const find = createBatcher<Buffer, Player | null>({
    conflictKeyOf: () => null,
    async run(tokenHashes) {
      const now = clock.now()
      const [staleBefore, window] = [staleAt(now), openWindow(now)]
      const found = await db.rows(findSessions, { tokenHashes, staleBefore, ...window })
      const rows = found.filter(({ active }) => active)
      if (rows.length < found.length) await db.rows(endExpired, { tokenHashes, now, ...window })
      if (rows.some(({ stale }) => stale)) await db.rows(touchSessions, { tokenHashes, now, staleBefore })
      const wallets = new Map(rows.map((row) => [nameOf(row.token_hash), row.wallet]))
      return tokenHashes.map((tokenHash) => {
        const wallet = wallets.get(nameOf(tokenHash))
        return { value: wallet === undefined ? null : { wallet, tokenHash } }
      })
    },
  })

  const findEnded = async (tx: Tx, players: readonly Player[]): Promise<ReadonlySet<Player>> => {
    const sessions = new Map(players.map((player) => [nameOf(player.tokenHash), player]))
    const tokenHashes = [...sessions.values()].map((player) => player.tokenHash)
    const now = clock.now()
    const [staleBefore, window] = [staleAt(now), openWindow(now)]
    const [found] = await tx.rows(countSessions, { tokenHashes, staleBefore, ...window })
    if (found!.active < sessions.size) {
      const rows = await tx.rows(findSessions, { tokenHashes, staleBefore, ...window })
      const names = new Set(rows.filter(({ active }) => active).map((row) => nameOf(row.token_hash)))
      const ended = players.filter((player) => !names.has(nameOf(player.tokenHash)))
      // The next call of an ended session is refused before any work.
      for (const player of ended) cache.delete(nameOf(player.tokenHash))
      return new Set(ended)
    }
    if (found!.stale) tx.send(touchSessions, { tokenHashes, now, staleBefore })
    for (const name of sessions.keys()) {
      const cached = cache.get(name)
      if (cached) cached.expiresAtMs = performance.now() + CACHE_MS
    }
    return new Set()
  }

  return {
    open(tx, { token, wallet, now, client }) {
      const tokenHash = hashToken(token)
      const device = describeDevice(client?.userAgent ?? '')
      tx.send(openSession, { tokenHash, wallet, now, device, address: shortenAddress(client?.address ?? '') })
    },

    isOpen: async (tx, token) => (await tx.rows(findOpened, { tokenHash: hashToken(token) })).length === 1,

    async authenticate(request, { revalidates, fresh }) {
      const tokenHash = hashToken(tokenOf(request) ?? refuse('not_authenticated'))
      const name = nameOf(tokenHash)
      const cached = cache.get(name)
      if (cached && !fresh && cached.expiresAtMs > performance.now()) return cached.player
      if (cached && !fresh && revalidates)
        return { ...cached.player, revalidation: { findEnded, revalidated: false } }
      const endingsBefore = endings
      const found = await find(tokenHash)
      if (!found) {
        cache.delete(name)
        return refuse('not_authenticated')
      }
      if (endings > endingsBefore) return found
      if (cache.size >= MAX_CACHED_SESSIONS) cache.clear()
      cache.set(name, { player: found, expiresAtMs: performance.now() + CACHE_MS })
      return found
    },

    async end({ tokenHash }) {
      await db.rows(endSession, { tokenHash, now: clock.now() })
      endings += 1
      cache.delete(nameOf(tokenHash))
    },

    async endOf({ wallet, tokenHash }, id) {
      const of = { wallet, except: tokenHash, id, now: clock.now(), limit: ENDED_AT_ONCE }
      let ended = 0
      for (;;) {
        const rows = await db.rows(endSessionsOf, of)
        endings += 1
        for (const row of rows) cache.delete(nameOf(row.token_hash))
        ended += rows.length
        if (rows.length < ENDED_AT_ONCE) return ended
      }
    },

    async list({ wallet, tokenHash }) {
      const of = { wallet, ...openWindow(clock.now()), own: tokenHash, others: LISTED_SESSIONS - 1 }
      const rows = await db.rows(listSessions, of)
      return rows.map(({ createdAt, seenAt, ...row }) => {
        return { ...row, createdAt: createdAt.toISOString(), seenAt: seenAt.toISOString() }
      })
    },
  }
}

const nameOf = (tokenHash: Buffer): string => tokenHash.toString('base64url')

/** The token of a call. Two headers may carry it; if both do, they must agree. */
function tokenOf({ headers }: FastifyRequest): string | null {
  const own = headers['x-auth-token']
  if (Array.isArray(own)) refuse('tokens_disagree')
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (own !== undefined && bearer !== undefined && own !== bearer) refuse('tokens_disagree')
  return own ?? bearer ?? null
}
