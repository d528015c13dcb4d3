import { readOperators, watchOperators } from '#server/operators/read-operators.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { openDb } from '#server/platform/db/db.ts'
import { listen } from '#server/platform/http/listen.ts'
import type { Log } from '#server/platform/log.ts'
import { readRelease } from '#server/platform/release.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { createConsole } from './console-app.ts'

/** Few people use it, and each page sends some statements at a time. */
const CONNECTIONS = 5

/**
 * The role `console`: serves the operators until it is stopped. Throws a `StartupError` without a port, or if the
 * operators' file names nobody.
 */
export async function startConsole(config: Config, log: Log): Promise<{ stop(): Promise<void> }> {
  const { consolePort: port, consoleHost: host, operatorsFile } = config
  if (port === 0) throw new StartupError('CONSOLE_PORT is missing: the console needs a port of its own.')
  const { problem } = readOperators(operatorsFile)
  if (problem !== null) throw new StartupError(`The console needs an operator. ${problem}`)
  const db = openDb(config.databaseUrl, { max: CONNECTIONS, applicationName: 'cotton-console' })
  const operators = watchOperators(operatorsFile, log)
  const app = await createConsole({ db, clock: systemClock, log, operators, config, version: readRelease() })
  await listen(app, { host, port, settings: ['CONSOLE_PORT', 'CONSOLE_HOST'] }, log)
  return {
    async stop() {
      await app.close()
      await db.end()
    },
  }
}
