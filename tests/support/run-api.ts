import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openDb } from '#server/platform/db/db.ts'
import { serveApp } from './serve-app.ts'
import type { TestWorld } from './test-world.ts'

/**
 * Starts an api in a child process, on the database of a test world, with the api's login and a frozen clock. Returns its
 * URL.
 */
export async function runApi(world: TestWorld): Promise<{ url: string; stop(): Promise<void> }> {
  const child = fork(import.meta.filename, [world.clock.now().toISOString()], {
    env: {
      ...process.env,
      DATABASE_URL: world.urlFor('api'),
      DATABASE_DIRECT_URL: world.directUrlFor('api'),
    },
  })
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function serve({ url, directUrl }: { url: string; directUrl: string }, now: Date): Promise<void> {
  const db = openDb(url, { max: 5, applicationName: 'cotton-api' })
  const app = await serveApp({ db, directUrl, clock: { now: () => now } }, { shared: true })
  process.once('disconnect', async () => {
    await app.close()
    await db.end()
  })
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
}

if (process.argv[1] === import.meta.filename) {
  const { DATABASE_URL: url = '', DATABASE_DIRECT_URL: directUrl = '' } = process.env
  await serve({ url, directUrl }, new Date(process.argv[2] ?? ''))
}
