import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDataDir, runServer, until } from '#tests/support/run-server.ts'
import type { RunningServer } from '#tests/support/run-server.ts'

let folder: ReturnType<typeof makeDataDir>
let server: RunningServer

beforeAll(() => {
  folder = makeDataDir()
})

afterAll(() => folder.remove())

const start = (env: Record<string, string> = {}) => {
  server = runServer({ dataDir: folder.dataDir, env })
  return server.ready
}

const stop = async () => {
  server.pressCtrlC()
  await server.ended
}

const clusterAt = async (url: string) => {
  const answer = await fetch(`${url}/api/chain`)
  return (await answer.json()) as { cluster: string; explorer: string | null }
}

test('the local chain rehearses a real cluster: strict rules, alarms, no faucet, and it stays so', async () => {
  const url = await start({ CLUSTER: 'devnet' })
  try {
    expect(await clusterAt(url)).toMatchObject({ cluster: 'devnet', explorer: null })
    const faucet = await fetch(`${url}/api/local/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ walletAddress: 'So11111111111111111111111111111111111111112' }),
    })
    expect(faucet.status).toBe(404)
    // Nobody has given the treasury anything.
    await until('the alarms of an empty treasury', () => server.output().includes('"alarm":"sol_low"'))
    expect(server.output()).toContain('"alarm":"tokens_low"')
  } finally {
    await stop()
  }

  // The books remember it.
  expect((await clusterAt(await start())).cluster).toBe('devnet')
  await stop()

  server = runServer({ dataDir: folder.dataDir, env: { CLUSTER: 'local' } })
  expect(await server.ended).toBe(1)
  expect(server.output()).toContain(
    'CLUSTER is local, but this database belongs to a game on devnet: set CLUSTER=devnet or leave it out',
  )
})
