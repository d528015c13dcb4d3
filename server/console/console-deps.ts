import type { Operators } from '#server/operators/read-operators.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'

/** What the routes of the console use. */
export type ConsoleDeps = {
  db: Db
  clock: Clock
  log: Log
  /** The operators that the file names now. */
  operators(): Operators
  config: Pick<
    Config,
    'publicUrl' | 'consoleUrl' | 'consoleHost' | 'marketMode' | 'rateLimits' | 'trustProxy'
  >
  /** The release of this program. */
  version: string
}
