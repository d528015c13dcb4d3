import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { claimPort } from './ports.ts'

const host = '127.0.0.1'

async function holdPort() {
  const holder = createServer()
  await new Promise<void>((resolve) => {
    holder.listen(0, host, resolve)
  })
  return { port: (holder.address() as AddressInfo).port, release: () => holder.close() }
}

test('a predecessor that is still going is waited for', async () => {
  const { port, release } = await holdPort()
  setTimeout(release, 600)
  await expect(claimPort(port, { setting: 'PORT', host })).resolves.toBeUndefined()
})

test('a port that stays taken is refused by the name of its setting', async () => {
  const { port, release } = await holdPort()
  await expect(claimPort(port, { setting: 'METRICS_PORT', host })).rejects.toThrow(
    /already taken.*METRICS_PORT/,
  )
  release()
})
