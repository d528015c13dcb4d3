import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { isThisMachine } from '#server/platform/site.ts'
import { PLAYER_REASONS } from '#server/withdrawals/player-reasons.ts'

const NAME = 'signer_state'

/** A signer that has written no state for this long counts as not running. */
const LONGEST_SILENCE_MS = 2 * 60_000

type StoredState = {
  stage: SignerStage
  startedAt: string
  memoryBytes: number
  cpuSeconds: number
  /** Signers of version 0.1.0 recorded none. */
  origin?: string
  /** Signers of earlier versions recorded none. */
  oldestPayable?: string | null
}

// The watcher, which measures how long withdrawals wait, may not read why. A filter, and no condition: by an index on the
// time of the request, Postgres would search for the oldest among all that were ever paid.
const writeState = sql({
  name: 'signer-write-state',
  params: { name: 'text', value: 'jsonb', at: 'timestamptz', playerReasons: 'text[]' },
  text: ({ name, value, at, playerReasons }) => `insert into settings (name, value, at)
    select ${name}, ${value} || jsonb_build_object(
      'oldestPayable', min(requested_at) filter (where not reasons && ${playerReasons})
    ), ${at} from withdrawals where state = 'approved'
    on conflict (name) do update set value = excluded.value, at = excluded.at`,
})

const readState = sql({
  name: 'signer-read-state',
  params: { name: 'text' },
  row: rowOf<{ value: StoredState; at: Date }>(),
  text: ({ name }) => `select value, at from settings where name = ${name}`,
})

/** What the signer must finish before it signs new payouts: renew lanes, reconcile the history. `ready`: it signs. */
export type SignerStage = 'lanes' | 'history' | 'ready'

export type SignerState = {
  stage: SignerStage
  startedAt: Date
  at: Date
  silent: boolean
  memoryBytes: number
  cpuSeconds: number
  /**
   * When the oldest approved withdrawal was requested that does not wait for its player; null without any. Undefined if the
   * signer does not record it.
   */
  oldestPayable: Date | null | undefined
}

type Recorded = { stage: SignerStage; startedAt: Date; origin: string; now: Date }

/**
 * Records how far the signer has come since it started, what its process uses, the origin that signed messages name, and
 * when the oldest withdrawal was requested that could be paid. The signer accepts no connections, so the watcher serves the
 * figures as metrics.
 */
export async function recordSignerState(
  db: Queryable,
  { stage, startedAt, origin, now }: Recorded,
): Promise<void> {
  const { user, system } = process.cpuUsage()
  const value: StoredState = {
    stage,
    startedAt: startedAt.toISOString(),
    memoryBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
    origin,
  }
  await db.rows(writeState, { name: NAME, value, at: now, playerReasons: [...PLAYER_REASONS] })
}

/**
 * The origin that signed acts have to name: the one that the signer verifies, as its `PUBLIC_URL` and `PORT` say, so that
 * whoever prepares an act need not have the settings of the game. A public origin of their own has to agree with it:
 * whoever writes to this database could otherwise have acts signed that are valid in another game.
 */
export async function readActOrigin(
  db: Queryable,
  own: string,
): Promise<{ origin: string } | { problem: string }> {
  const [row] = await db.rows(readState, { name: NAME })
  const origin = row?.value.origin ?? own
  if (origin === own || isThisMachine(own)) return { origin }
  return { problem: `The signer serves ${origin}, and PUBLIC_URL is ${own} here. They have to agree.` }
}

/** The state that the signer recorded last; null if no signer has ever run on this database. */
export async function readSignerState(db: Queryable, now: Date): Promise<SignerState | null> {
  const [row] = await db.rows(readState, { name: NAME })
  if (!row) return null
  // Also a time in the future: a clock was set back.
  const silent = Math.abs(now.getTime() - row.at.getTime()) > LONGEST_SILENCE_MS
  const { startedAt, oldestPayable } = row.value
  return {
    ...row.value,
    startedAt: new Date(startedAt),
    oldestPayable: typeof oldestPayable === 'string' ? new Date(oldestPayable) : oldestPayable,
    at: row.at,
    silent,
  }
}
