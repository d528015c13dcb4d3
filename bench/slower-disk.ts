import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, sql } from '#server/platform/db/db.ts'

export const FLUSH_MS = 1

const delay = sql('bench-delay', `alter system set commit_delay = ${FLUSH_MS * 1000}`)
const always = sql('bench-delay-always', 'alter system set commit_siblings = 0')
const noDelay = sql('bench-no-delay', 'alter system reset commit_delay')
const reload = sql('bench-reload', 'select pg_reload_conf()')

// Each process of Postgres reads its settings when it hears of it and has nothing else to do.
const HEARD_MS = 100

/**
 * As on a disk whose flush takes a millisecond longer: Postgres itself waits for so long before each flush, holding what
 * it holds during one.
 */
export async function onSlowerDisk<T>(owner: Db, work: () => Promise<T>): Promise<T> {
  await owner.rows(delay)
  await owner.rows(always)
  await owner.rows(reload)
  await sleep(HEARD_MS)
  try {
    return await work()
  } finally {
    await owner.rows(noDelay)
    await owner.rows(reload)
    await sleep(HEARD_MS)
  }
}
