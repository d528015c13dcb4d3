import type { Clock } from '#server/platform/clock.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { hasPassed } from '#server/platform/has-passed.ts'
import { type Alert, type AlertName, findAlerts } from './find-alerts.ts'
import { readMoney, readReviewIds } from './read-money.ts'
import type { Notice } from './webhook-message.ts'

type StoredAlert = { name: AlertName; since: Date; sentAt: Date | null }

const readStored = sql({
  name: 'alerts-read',
  row: rowOf<StoredAlert>(),
  text: `select name, since, sent_at as "sentAt" from alerts`,
})

const insertNew = sql({
  name: 'alerts-insert',
  params: { names: 'text[]', since: 'timestamptz' },
  text: ({ names, since }) =>
    `insert into alerts (name, since) select unnest(${names}), ${since} on conflict do nothing`,
})

const markSent = sql({
  name: 'alerts-mark-sent',
  params: { names: 'text[]', at: 'timestamptz' },
  text: ({ names, at }) => `update alerts set sent_at = ${at} where name = any(${names})`,
})

const remove = sql({
  name: 'alerts-remove',
  params: { names: 'text[]' },
  text: ({ names }) => `delete from alerts where name = any(${names})`,
})

type SendDeps = {
  db: Queryable
  clock: Clock
  repeatMs: number
  /** Rejects if nobody has received the notices. */
  post(notices: readonly Notice[]): Promise<void>
}

/**
 * Posts what has begun, what lasts (every `repeatMs`) and, once, what is over. The database stores what was posted, so that a
 * restart repeats and forgets nothing. If the post fails, the next call tries again with the state of that time.
 */
export async function sendAlerts({ db, clock, repeatMs, post }: SendDeps): Promise<void> {
  const now = clock.now()
  const reviewIds = await readReviewIds(db)
  const alerts = findAlerts(await readMoney(db, now), { now, reviewIds })
  const stored = await reconcile(db, alerts, now)
  const isOn = ({ name }: StoredAlert) => alerts.some((alert) => alert.name === name)
  const due = alerts.flatMap((alert) => {
    const { since, sentAt } = stored.find(({ name }) => name === alert.name)!
    const isDue = sentAt
      ? hasPassed(repeatMs, { from: sentAt, now })
      : hasPassed(alert.afterMs, { from: since, now })
    return isDue ? [{ status: 'firing' as const, alert, since }] : []
  })
  const over = stored
    .filter((each) => !isOn(each))
    .map(({ name, since }) => ({ status: 'resolved' as const, name, since, endedAt: now }))
  if (due.length === 0 && over.length === 0) return
  await post([...due, ...over])
  await db.rows(markSent, { names: due.map(({ alert }) => alert.name), at: now })
  await db.rows(remove, { names: over.map(({ name }) => name) })
}

/** Stores new alerts, forgets those that ended before they were posted, and returns the others. */
async function reconcile(db: Queryable, alerts: readonly Alert[], now: Date): Promise<StoredAlert[]> {
  const names = alerts.map(({ name }) => name)
  const before = await db.rows(readStored)
  const forgotten = before.filter(({ name, sentAt }) => sentAt === null && !names.includes(name))
  const added = names.filter((name) => !before.some((each) => each.name === name))
  if (forgotten.length > 0) await db.rows(remove, { names: forgotten.map(({ name }) => name) })
  if (added.length > 0) await db.rows(insertNew, { names: added, since: now })
  return [
    ...before.filter((each) => !forgotten.includes(each)),
    ...added.map((name) => ({ name, since: now, sentAt: null })),
  ]
}

/** The names of the alerts that were posted and are not over. */
export async function readSentAlerts(db: Queryable): Promise<AlertName[]> {
  return (await db.rows(readStored)).filter(({ sentAt }) => sentAt !== null).map(({ name }) => name)
}
