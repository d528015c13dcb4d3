import { consoleRefusalBody } from '#contract/console/refusals.ts'
import { formatCount } from '#game/cotton.ts'
import { walletBytes } from '#server/account/wallet-signature.ts'
import { createAnnouncement, withdrawAnnouncement } from '#server/announcements/announcements.ts'
import { freezeWallet } from '#server/freeze/freeze-wallet.ts'
import { writeOperatorLog } from '#server/operators/operator-log.ts'
import type { Operator } from '#server/operators/read-operators.ts'
import { type Db, type Queryable, rowOf, sql, type Tx } from '#server/platform/db/db.ts'
import { pauseUnlessPaused } from '#server/withdrawals/withdrawal-pause.ts'
import { ConsoleRefused, refuseCall } from './refuse.ts'

type Action = {
  operator: Operator
  now: Date
  command: string
  arguments?: Record<string, string>
  reason?: string
}

/**
 * Runs an operator's action that only stops something, and logs it in the same transaction. A refusal changes nothing
 * and is logged, too.
 */
async function runLogged<Result extends { outcome: string }>(
  db: Db,
  { operator, ...action }: Action,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const log = (on: Queryable, outcome: string) =>
    writeOperatorLog(on, { ...action, who: operator.name, outcome })
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx)
      await log(tx, result.outcome)
      return result
    })
  } catch (error) {
    if (error instanceof ConsoleRefused) {
      const { refusal } = error
      await log(db, `Refused: ${refusal.facts.what ?? consoleRefusalBody(refusal).message}`)
    }
    throw error
  }
}

type By = { operator: Operator; now: Date }

/** Pauses withdrawals. The second of two operators reads who was first. */
export function pause(db: Db, { reason, ...by }: By & { reason: string }): Promise<{ outcome: string }> {
  return runLogged(
    db,
    { ...by, command: 'pause', arguments: { what: 'withdrawals' }, reason },
    async (tx) => {
      const before = await pauseUnlessPaused(tx, { why: reason, now: by.now })
      if (before)
        refuseCall('already_done', {
          what: `Withdrawals are already paused since ${before.since.toISOString()}: ${before.why}`,
        })
      return { outcome: 'Withdrawals are paused.' }
    },
  )
}

/** Freezes a wallet. */
export function freeze(
  db: Db,
  { wallet, reason, ...by }: By & { wallet: string; reason: string },
): Promise<{ outcome: string }> {
  if (!walletBytes(wallet)) refuseCall('malformed', { field: 'wallet', problem: 'is not a wallet address' })
  return runLogged(db, { ...by, command: 'freeze', arguments: { wallet }, reason }, async (tx) => {
    const who = by.operator.name
    if (!(await freezeWallet(tx, { wallet, reason, who, now: by.now })))
      refuseCall('already_done', { what: `The wallet ${wallet} is already frozen.` })
    return { outcome: `The wallet ${wallet} is frozen.` }
  })
}

const endPlayerSessions = sql({
  name: 'console-end-player-sessions',
  params: { wallet: 'text', now: 'timestamptz' },
  row: rowOf<{ ended: number }>(),
  text: ({ wallet, now }) => `select end_player_sessions(${wallet}, ${now}) as ended`,
})

/** As many sessions as the function of the database ends in one statement. */
const MAX_ENDED = 10_000

const hasMoreSessions = sql({
  name: 'console-has-more-sessions',
  params: { wallet: 'text', limit: 'integer' },
  row: rowOf<{ more: boolean }>(),
  text: ({ wallet, limit }) => `select count(*) > ${limit} as more
    from (select from sessions where wallet = ${wallet} and ended_at is null limit ${limit} + 1) open`,
})

/** Logs a player out everywhere. What is more than one statement can end is ended before, in transactions of its own. */
export async function endSessions(
  db: Db,
  { wallet, reason, ...by }: By & { wallet: string; reason: string },
): Promise<{ outcome: string; ended: number }> {
  const endSome = async (on: Queryable) =>
    (await on.rows(endPlayerSessions, { wallet, now: by.now }))[0]!.ended
  let ended = 0
  while ((await db.rows(hasMoreSessions, { wallet, limit: MAX_ENDED }))[0]!.more) ended += await endSome(db)
  return runLogged(db, { ...by, command: 'end sessions', arguments: { wallet }, reason }, async (tx) => {
    ended += await endSome(tx)
    return {
      ended,
      outcome: ended === 1 ? 'One session is ended.' : `${formatCount(ended)} sessions are ended.`,
    }
  })
}

type Announcement = { text: string; startsAt: Date; endsAt: Date }

/** Announces a text to all players. */
export function announce(
  db: Db,
  { text, startsAt: from, endsAt: until, operator, now }: By & Announcement,
): Promise<{ outcome: string; id: string }> {
  const named = { text, from: from.toISOString(), until: until.toISOString() }
  return runLogged(db, { operator, now, command: 'announce', arguments: named }, async (tx) => {
    if (until <= from || until <= now)
      refuseCall('act_refused', { problem: 'An announcement ends after its start and after now.' })
    const { id } = await createAnnouncement(tx, { text, from, until, who: operator.name, now })
    return { id, outcome: 'The announcement is stored.' }
  })
}

export function endAnnouncement(
  db: Db,
  { id, reason, ...by }: By & { id: string; reason: string },
): Promise<{ outcome: string }> {
  return runLogged(db, { ...by, command: 'end announcement', arguments: { id }, reason }, async (tx) => {
    if (!(await withdrawAnnouncement(tx, { id, who: by.operator.name, now: by.now })))
      refuseCall('announcement_not_found')
    return { outcome: 'The announcement is over.' }
  })
}
