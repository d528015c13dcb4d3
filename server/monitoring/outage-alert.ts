import { hasPassed } from '#server/platform/has-passed.ts'
import { databaseOutage } from './find-alerts.ts'
import type { Notice } from './webhook-message.ts'

type OutageAlert = {
  /** What to post while the database is unreachable; null if nothing is due. */
  during(now: Date): Notice | null
  /** What to post once it is reachable again; null if nobody was alerted. */
  after(now: Date): Notice | null
  /** The notice was accepted. */
  posted(notice: Notice, now: Date): void
}

/** The alert for a database that cannot be read. Its state cannot be in the database, so a restart forgets it. */
export function createOutageAlert({ repeatMs }: { repeatMs: number }): OutageAlert {
  let since: Date | null = null
  let sentAt: Date | null = null
  return {
    during(now) {
      since ??= now
      const alert = databaseOutage(since)
      const isDue = hasPassed(sentAt ? repeatMs : alert.afterMs, { from: sentAt ?? since, now })
      return isDue ? { status: 'firing', alert, since } : null
    },
    after(now) {
      if (since && sentAt)
        return { status: 'resolved', name: databaseOutage(since).name, since, endedAt: now }
      since = null
      return null
    },
    posted({ status }, now) {
      sentAt = status === 'firing' ? now : null
      if (status === 'resolved') since = null
    },
  }
}
