import type { Announcement } from '#contract/announcements.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { encodeFrame } from '#server/realtime/encode-frame.ts'
import { readShown } from './announcements.ts'

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

/** Reads the announcements into memory. `refresh` reads them again: each one starts and ends with a poll. */
export async function openAnnouncementView({
  db,
  clock,
}: {
  db: Db
  clock: Clock
}): Promise<AnnouncementView> {
  const read = async () => {
    const rows = await readShown(db, clock.now())
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
