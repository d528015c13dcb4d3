import type { Announcement } from '#contract/announcements.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { encodeFrame } from '#server/realtime/encode-frame.ts'

/** The announcements that last now, as this process knows them. */
export type AnnouncementView = {
  /** Reads them and returns the channels that changed. Calls must not overlap. */
  refresh(): Promise<string[]>
  /** The earliest start first. */
  current(): Announcement[]
  /** The frame `announcements`. */
  frame(): Buffer
}

const CHANNEL = 'announcements'

/** More would not be read. The newest are shown, because what is urgent is announced last. */
const MAX_AT_ONCE = 5

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

/** Reads the announcements into memory. `refresh` reads them again: each one starts and ends with a poll. */
export async function openAnnouncementView({
  db,
  clock,
}: {
  db: Db
  clock: Clock
}): Promise<AnnouncementView> {
  const read = async () => {
    const rows = await db.rows(readCurrent, { now: clock.now(), limit: MAX_AT_ONCE })
    const current = rows.map(({ until, ...row }) => ({ ...row, until: until.toISOString() }))
    return { current, frame: encodeFrame({ type: 'announcements', data: current }) }
  }
  let view = await read()
  return {
    async refresh() {
      const before = view
      view = await read()
      return view.frame.equals(before.frame) ? [] : [CHANNEL]
    },
    current: () => view.current,
    frame: () => view.frame,
  }
}
