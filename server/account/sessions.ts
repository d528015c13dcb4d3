import { hash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, sql, type Tx } from '#server/platform/db/db.ts'
import { gather } from '#server/platform/gather.ts'
import type { Authenticate, Player } from '#server/platform/http/serve.ts'

const IDLE_MS = 24 * 3_600_000
const ABSOLUTE_MS = 7 * 24 * 3_600_000

// A session that ended anywhere is over here within this time, whatever news is lost.
const TRUSTED_MS = 1_000
const MOST_TRUSTED = 50_000

// How stale `seen_at` may grow before it is written again: it only has to be right against a day.
const SEEN_EVERY_MS = 60_000

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
const seeSessions = sql(
  'sessions-see',
  `update sessions set seen_at = $2 where token_hash in (
     select token_hash from sessions where token_hash = any($1::bytea[]) and seen_at <= $3 for update skip locked
   )`,
)
const endSession = sql(
  'sessions-end',
  'update sessions set ended_at = $2 where token_hash = $1 and ended_at is null',
)

type Trusted = { player: Player; untilMs: number }

/**
 * Opaque tokens over rows of `sessions`, each looked up at most once a second. A token is one wallet's for ever: where
 * something is about to be done for a player who was here before, only whether the session still lives has to be asked,
 * and that question travels with what is done.
 */
export function createSessions({ db, clock }: { db: Db; clock: Clock }): Sessions {
  const trusted = new Map<string, Trusted>()
  const limits = (now: Date): Date[] =>
    [IDLE_MS, ABSOLUTE_MS, SEEN_EVERY_MS].map((ms) => new Date(now.getTime() - ms))
  const see = (on: Pick<Db, 'rows'>, tokenHashes: readonly Buffer[], now: Date) =>
    on.rows(seeSessions, [tokenHashes, now, new Date(now.getTime() - SEEN_EVERY_MS)])

  // Many calls at once look their sessions up together.
  const find = gather<Buffer, Player | null>({
    nameOf: () => null,
    async run(tokenHashes) {
      const now = clock.now()
      type Row = { token_hash: Buffer; wallet: string; stale: boolean }
      const rows = await db.rows<Row>(findSessions, [tokenHashes, ...limits(now)])
      if (rows.some(({ stale }) => stale)) await see(db, tokenHashes, now)
      const wallets = new Map(rows.map((row) => [nameOf(row.token_hash), row.wallet]))
      return tokenHashes.map((tokenHash) => {
        const wallet = wallets.get(nameOf(tokenHash))
        return { value: wallet === undefined ? null : { wallet, tokenHash } }
      })
    },
  })

  const areAlive = async (tx: Tx, players: readonly Player[]): Promise<boolean> => {
    const asked = new Map(players.map((player) => [nameOf(player.tokenHash), player]))
    const tokenHashes = [...asked.values()].map((player) => player.tokenHash)
    const now = clock.now()
    type Row = { alive: number; stale: boolean }
    const [found] = await tx.rows<Row>(countSessions, [tokenHashes, ...limits(now)])
    if (found!.alive < asked.size) {
      // Next time it is found dead before anything is begun for it. Which one of many it is, halves of them tell.
      if (asked.size === 1) for (const name of asked.keys()) trusted.delete(name)
      return false
    }
    if (found!.stale) void see(tx, tokenHashes, now)
    for (const name of asked.keys()) {
      const known = trusted.get(name)
      if (known) known.untilMs = performance.now() + TRUSTED_MS
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
      const known = trusted.get(name)
      if (known && known.untilMs > performance.now()) return known.player
      if (known && confirms) return { ...known.player, unconfirmed: { areAlive, confirmed: false } }
      const found = await find(Buffer.from(name, 'base64url'))
      if (!found) {
        trusted.delete(name)
        return refuse('not_authenticated')
      }
      if (trusted.size >= MOST_TRUSTED) trusted.clear()
      trusted.set(name, { player: found, untilMs: performance.now() + TRUSTED_MS })
      return found
    },

    async end({ tokenHash }) {
      await db.rows(endSession, [tokenHash, clock.now()])
      trusted.delete(nameOf(tokenHash))
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
