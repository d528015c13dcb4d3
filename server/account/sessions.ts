import { hash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, sql, type Tx } from '#server/platform/db/db.ts'
import { createBatcher } from '#server/platform/batcher.ts'
import type { Authenticate, Player } from '#server/platform/http/serve.ts'

const IDLE_MS = 24 * 3_600_000
const ABSOLUTE_MS = 7 * 24 * 3_600_000

// A session that ended anywhere is over here within this time, whatever news is lost.
const CACHE_MS = 1_000
const MAX_CACHED_SESSIONS = 50_000

// How stale `seen_at` may grow before it is written again: it only has to be right against a day.
const TOUCH_INTERVAL_MS = 60_000

export type Sessions = {
  /** Opens a session in the transaction that let the player in; gives the token, which is stored nowhere. */
  open(tx: Tx, wallet: string, now: Date): Promise<string>
  authenticate: Authenticate
  /** Ends a session: at once here, within a second everywhere. */
  end(player: Player): Promise<void>
}

const openSession = sql(
  'sessions-open',
  'insert into sessions (token_hash, wallet, created_at, seen_at) values ($1, $2, $3, $3)',
)
// $1 token hashes; $2 and $3 what a session has to be younger than; $4 what it has to be seen after, not to be stale.
const ALIVE = `token_hash = any($1::bytea[]) and ended_at is null and seen_at > $2 and created_at > $3`
const findSessions = sql(
  'sessions-find',
  `select token_hash, wallet, seen_at <= $4 as stale from sessions where ${ALIVE}`,
)
const countSessions = sql(
  'sessions-count',
  `select count(*)::integer as alive, coalesce(bool_or(seen_at <= $4), false) as stale from sessions where ${ALIVE}`,
)
// A row that somebody else is writing is about to be seen anyway. It is not waited for: two that see the same players in
// different orders would wait for each other.
const touchSessions = sql(
  'sessions-touch',
  `update sessions set seen_at = $2 where token_hash in (
     select token_hash from sessions where token_hash = any($1::bytea[]) and seen_at <= $3 for update skip locked
   )`,
)
const endSession = sql(
  'sessions-end',
  'update sessions set ended_at = $2 where token_hash = $1 and ended_at is null',
)

type CachedSession = { player: Player; expiresAtMs: number }

/**
 * Opaque tokens over rows of `sessions`, each looked up at most once a second. A token is one wallet's for ever: where
 * something is about to be done for a player who was here before, only whether the session still lives has to be asked,
 * and that question travels with what is done.
 */
export function createSessions({ db, clock }: { db: Db; clock: Clock }): Sessions {
  const cache = new Map<string, CachedSession>()
  const cutoffs = (now: Date): Date[] =>
    [IDLE_MS, ABSOLUTE_MS, TOUCH_INTERVAL_MS].map((ms) => new Date(now.getTime() - ms))
  const touch = (on: Pick<Db, 'rows'>, tokenHashes: readonly Buffer[], now: Date) =>
    on.rows(touchSessions, [tokenHashes, now, new Date(now.getTime() - TOUCH_INTERVAL_MS)])

  // Many calls at once look their sessions up together.
  const find = createBatcher<Buffer, Player | null>({
    conflictKeyOf: () => null,
    async run(tokenHashes) {
      const now = clock.now()
      type Row = { token_hash: Buffer; wallet: string; stale: boolean }
      const rows = await db.rows<Row>(findSessions, [tokenHashes, ...cutoffs(now)])
      if (rows.some(({ stale }) => stale)) await touch(db, tokenHashes, now)
      const wallets = new Map(rows.map((row) => [nameOf(row.token_hash), row.wallet]))
      return tokenHashes.map((tokenHash) => {
        const wallet = wallets.get(nameOf(tokenHash))
        return { value: wallet === undefined ? null : { wallet, tokenHash } }
      })
    },
  })

  const areActive = async (tx: Tx, players: readonly Player[]): Promise<boolean> => {
    const asked = new Map(players.map((player) => [nameOf(player.tokenHash), player]))
    const tokenHashes = [...asked.values()].map((player) => player.tokenHash)
    const now = clock.now()
    type Row = { alive: number; stale: boolean }
    const [found] = await tx.rows<Row>(countSessions, [tokenHashes, ...cutoffs(now)])
    if (found!.alive < asked.size) {
      // Next time it is found dead before anything is begun for it. Which one of many it is, halves of them tell.
      if (asked.size === 1) for (const name of asked.keys()) cache.delete(name)
      return false
    }
    if (found!.stale) void touch(tx, tokenHashes, now)
    for (const name of asked.keys()) {
      const known = cache.get(name)
      if (known) known.expiresAtMs = performance.now() + CACHE_MS
    }
    return true
  }

  return {
    async open(tx, wallet, now) {
      const token = randomBytes(32).toString('base64url')
      await tx.rows(openSession, [Buffer.from(nameFor(token), 'base64url'), wallet, now])
      return token
    },

    async authenticate(request, confirms) {
      const name = nameFor(tokenOf(request) ?? refuse('not_authenticated'))
      const known = cache.get(name)
      if (known && known.expiresAtMs > performance.now()) return known.player
      if (known && confirms) return { ...known.player, revalidation: { areActive, revalidated: false } }
      const found = await find(Buffer.from(name, 'base64url'))
      if (!found) {
        cache.delete(name)
        return refuse('not_authenticated')
      }
      if (cache.size >= MAX_CACHED_SESSIONS) cache.clear()
      cache.set(name, { player: found, expiresAtMs: performance.now() + CACHE_MS })
      return found
    },

    async end({ tokenHash }) {
      await db.rows(endSession, [tokenHash, clock.now()])
      cache.delete(nameOf(tokenHash))
    },
  }
}

const nameOf = (tokenHash: Buffer): string => tokenHash.toString('base64url')

const nameFor = (token: string): string => hash('sha256', token, 'base64url')

/** The token of a call. Two headers may carry it; where both do, they must agree. */
function tokenOf({ headers }: FastifyRequest): string | null {
  const own = headers['x-auth-token']
  if (Array.isArray(own)) refuse('tokens_disagree')
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (own !== undefined && bearer !== undefined && own !== bearer) refuse('tokens_disagree')
  return own ?? bearer ?? null
}
