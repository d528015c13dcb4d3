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
const findSessions = sql(
  'sessions-find',
  `select token_hash, wallet, seen_at from sessions
   where token_hash = any($1::bytea[]) and ended_at is null and seen_at > $2 and created_at > $3`,
)
const seeSessions = sql(
  'sessions-see',
  'update sessions set seen_at = greatest(seen_at, $2) where token_hash = any($1::bytea[])',
)
const endSession = sql(
  'sessions-end',
  'update sessions set ended_at = $2 where token_hash = $1 and ended_at is null',
)

type Row = { token_hash: Buffer; wallet: string; seen_at: Date }

/** A session as it was found; `seenMs` is its `seen_at`. */
type Found = { player: Player; seenMs: number }
type Trusted = Found & { untilMs: number }

/**
 * Opaque tokens over rows of `sessions`, each looked up at most once a second. A token is one wallet's for ever: where
 * something is about to be done for a player who was here within a minute, only whether the session still lives has to
 * be asked, and that question travels with what is done.
 */
export function createSessions({ db, clock }: { db: Db; clock: Clock }): Sessions {
  const trusted = new Map<string, Trusted>()

  const readSessions = (from: Pick<Db, 'rows'>, tokenHashes: readonly Buffer[], now: Date): Promise<Row[]> =>
    from.rows<Row>(findSessions, [
      tokenHashes,
      new Date(now.getTime() - IDLE_MS),
      new Date(now.getTime() - ABSOLUTE_MS),
    ])

  const findAll = async (tokenHashes: readonly Buffer[]): Promise<(Found | null)[]> => {
    const now = clock.now()
    const rows = await readSessions(db, tokenHashes, now)
    const stale = rows.filter((row) => now.getTime() - row.seen_at.getTime() > SEEN_EVERY_MS)
    if (stale.length > 0) await db.rows(seeSessions, [stale.map((row) => row.token_hash), now])
    const found = new Map(rows.map((row) => [nameOf(row.token_hash), row]))
    return tokenHashes.map((tokenHash) => {
      const row = found.get(nameOf(tokenHash))
      if (!row) return null
      const seenMs = (stale.includes(row) ? now : row.seen_at).getTime()
      return { player: { wallet: row.wallet, tokenHash }, seenMs }
    })
  }
  // Many calls at once look their sessions up together.
  const find = gather<Buffer, Found | null>({
    nameOf: () => null,
    run: async (tokenHashes) => (await findAll(tokenHashes)).map((value) => ({ value })),
  })

  const areAlive = async (tx: Tx, players: readonly Player[]): Promise<boolean> => {
    const names = new Set(players.map(({ tokenHash }) => nameOf(tokenHash)))
    const rows = await readSessions(
      tx,
      players.map(({ tokenHash }) => tokenHash),
      clock.now(),
    )
    const untilMs = performance.now() + TRUSTED_MS
    for (const row of rows) {
      const name = nameOf(row.token_hash)
      names.delete(name)
      const known = trusted.get(name)
      if (known) known.untilMs = untilMs
    }
    // Next time they are found dead before anything is begun for them.
    for (const name of names) trusted.delete(name)
    return names.size === 0
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
      if (known && confirms && clock.now().getTime() - known.seenMs <= SEEN_EVERY_MS) {
        return { ...known.player, unconfirmed: { areAlive, confirmed: false } }
      }
      const found = await find(Buffer.from(name, 'base64url'))
      if (!found) {
        trusted.delete(name)
        return refuse('not_authenticated')
      }
      if (trusted.size >= MOST_TRUSTED) trusted.clear()
      trusted.set(name, { ...found, untilMs: performance.now() + TRUSTED_MS })
      return found.player
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
