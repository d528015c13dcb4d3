import { boundedName } from '#server/platform/db/bounded-name.ts'
import { type Queryable, rowOf, sql, type Tx } from '#server/platform/db/db.ts'

/** The longest announcement, in characters. */
export const LONGEST_ANNOUNCEMENT = 300

/** An announcement as operators see it. Everybody reads its text from `startsAt` until `endsAt`, or until it is withdrawn. */
export type StoredAnnouncement = {
  id: string
  text: string
  startsAt: Date
  endsAt: Date
  createdAt: Date
  createdBy: string
  withdrawnAt: Date | null
  withdrawnBy: string | null
}

const insert = sql({
  name: 'announcements-insert',
  params: { text: 'text', from: 'timestamptz', until: 'timestamptz', who: 'text', now: 'timestamptz' },
  row: rowOf<{ id: string }>(),
  text: ({ text, from, until, who, now }) =>
    `insert into announcements (text, starts_at, ends_at, created_at, created_by)
     values (${text}, ${from}, ${until}, ${now}, ${who}) returning id::text`,
})

const withdraw = sql({
  name: 'announcements-withdraw',
  params: { id: 'uuid', who: 'text', now: 'timestamptz' },
  text: ({ id, who, now }) =>
    `update announcements set withdrawn_at = ${now}, withdrawn_by = ${who}
     where id = ${id} and withdrawn_at is null and ends_at > ${now} returning id`,
})

/** More would not be read. The newest are shown, because what is urgent is announced last. */
export const MAX_AT_ONCE = 5

const readCurrent = sql({
  name: 'announcements-read-current',
  params: { now: 'timestamptz', limit: 'integer' },
  row: rowOf<{ id: string; text: string; until: Date }>(),
  text: ({ now, limit }) => `select id::text, text, ends_at as until from (
      select id, text, starts_at, ends_at from announcements
      where withdrawn_at is null and ends_at > ${now} and starts_at <= ${now}
      order by starts_at desc, id desc limit ${limit}
    ) newest order by starts_at, id`,
})

const readNewest = sql({
  name: 'announcements-read-newest',
  params: { limit: 'integer' },
  row: rowOf<StoredAnnouncement>(),
  text: ({ limit }) =>
    `select id::text, text, starts_at as "startsAt", ends_at as "endsAt", created_at as "createdAt",
       ${boundedName('created_by')} as "createdBy", withdrawn_at as "withdrawnAt",
       ${boundedName('withdrawn_by')} as "withdrawnBy"
     from announcements order by created_at desc, id desc limit ${limit}`,
})

/**
 * Stores an announcement. The apis show it within two seconds of its start. The caller checks its text (1 to 300
 * characters) and that it ends after its start.
 */
export async function createAnnouncement(
  tx: Tx,
  { text, from, until, who, now }: { text: string; from: Date; until: Date; who: string; now: Date },
): Promise<{ id: string }> {
  return (await tx.rows(insert, { text, from, until, who, now }))[0]!
}

/** Ends an announcement now; false if there is none with this id, or if it is already over. */
export async function withdrawAnnouncement(
  tx: Tx,
  { id, who, now }: { id: string; who: string; now: Date },
): Promise<boolean> {
  return (await tx.rows(withdraw, { id, who, now })).length === 1
}

/** The announcements that everybody sees now, the earliest start first. */
export function readShown(db: Queryable, now: Date): Promise<{ id: string; text: string; until: Date }[]> {
  return db.rows(readCurrent, { now, limit: MAX_AT_ONCE })
}

/** The newest announcements, over or not, the newest first. */
export function listAnnouncements(
  db: Queryable,
  { limit }: { limit: number },
): Promise<StoredAnnouncement[]> {
  return db.rows(readNewest, { limit })
}
