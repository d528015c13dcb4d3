import { setTimeout as sleep } from 'node:timers/promises'
import { type Postgres, startPostgres } from './postgres/postgres.ts'
import type { Log } from '#server/platform/log.ts'

interface SupervisePostgresOptions {
  dataDir: string
  log: Log
  onProgress(sentence: string): void
}

/** Runs the embedded Postgres and restarts it on the same port when it exits unexpectedly. */
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
        log.error(error, 'Postgres could not be restarted')
        await sleep(delayMs)
      }
    }
  }
  const watch = async () => {
    for (;;) {
      await postgres.ended
      if (stopping.signal.aborted) return
      log.error('Postgres exited unexpectedly and is restarted')
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
