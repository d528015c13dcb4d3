import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from './postgres/postgres.ts'
import type { Postgres } from './postgres/postgres.ts'
import type { Log } from '#server/platform/log.ts'

interface SupervisePostgresOptions {
  dataDir: string
  log: Log
  onProgress(sentence: string): void
}

/** The built-in Postgres, started again on the same port whenever it ends unasked. */
export async function supervisePostgres({ dataDir, log, onProgress }: SupervisePostgresOptions) {
  let postgres: Postgres = await startPostgres({ dataDir, onProgress })
  const { url } = postgres
  const port = Number(new URL(url).port)
  const stopping = new AbortController()

  const restart = async () => {
    for (let delayMs = 200; !stopping.signal.aborted; delayMs = Math.min(delayMs * 2, 5000)) {
      try {
        postgres = await startPostgres({ dataDir, port })
        if (stopping.signal.aborted) await postgres.stop()
        return
      } catch (error) {
        log.error(error, 'Postgres does not start again')
        await sleep(delayMs)
      }
    }
  }
  const watch = async () => {
    for (;;) {
      await postgres.ended
      if (stopping.signal.aborted) return
      log.error('Postgres ended and starts again')
      await restart()
    }
  }
  const watching = watch()

  return {
    url,
    async stop() {
      stopping.abort()
      await postgres.stop()
      await watching
    },
  }
}
