import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePort, reservePort } from './ports.ts'

const host = '127.0.0.1'

async function occupyPort() {
  const blocker = createServer()
  // No outgoing connection takes it when it is free again.
  const port = await findFreePort()
  await new Promise<void>((resolve) => {
    blocker.listen(port, host, resolve)
  })
  return { port, release: () => blocker.close() }
}

test('a previous process that is still stopping is waited for', async () => {
  const { port, release } = await occupyPort()
  setTimeout(release, 600)
  await expect(reservePort(port, { settings: ['PORT'], host })).resolves.toBeUndefined()
})

test('a port that stays in use is refused with the name of its setting', async () => {
  const { port, release } = await occupyPort()
  await expect(reservePort(port, { settings: ['METRICS_PORT'], host })).rejects.toThrow(
    /already taken.*METRICS_PORT/,
  )
  release()
})
