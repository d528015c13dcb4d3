import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { hasIPv6 } from '#tests/support/has-ipv6.ts'
import { findFreePort, reservePort } from './ports.ts'

const host = '127.0.0.1'

async function occupyPort(address = host) {
  const blocker = createServer()
  // No outgoing connection takes it when it is free again.
  const port = await findFreePort()
  await new Promise<void>((resolve) => {
    blocker.listen(port, address, resolve)
  })
  return { port, release: () => blocker.close() }
}

test('a previous process that is still stopping is waited for', async () => {
  const { port, release } = await occupyPort()
  setTimeout(release, 600)
  await expect(reservePort(port, { settings: ['PORT'], host })).resolves.toBeUndefined()
})

// A server that listens on the name itself uses one of the two only.
test.skipIf(!hasIPv6).for(['127.0.0.1', '::1'])(
  'a port that another program uses on %s is in use on localhost',
  async (address) => {
    const { port, release } = await occupyPort(address)
    const reserved = reservePort(port, { settings: ['PORT', 'HOST'], host: 'localhost' })
    await expect(reserved).rejects.toThrow(/already taken.*PORT/)
    release()
  },
)

test('a port of localhost that nobody uses is free', async () => {
  const port = await findFreePort()
  await expect(reservePort(port, { settings: ['PORT', 'HOST'], host: 'localhost' })).resolves.toBeUndefined()
})

test('a port that was chosen is not chosen again before it is used', async () => {
  const chosen = new Set<number>()
  // Of 12,000 random ports that many are nearly certain to include the same one twice.
  for (let count = 0; count < 400; count += 1) chosen.add(await findFreePort())
  expect(chosen.size).toBe(400)
})
