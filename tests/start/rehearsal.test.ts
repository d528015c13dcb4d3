/** @module-tag variant */
import { afterAll, expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { askLocalFaucet } from '#server/chain/ask-local-chain.ts'
import type { Address } from '#server/chain/port.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir, type RunningServer, runServer, waitFor } from '#tests/support/run-server.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'

const folder = makeDataDir()
let server: RunningServer

afterAll(() => folder.remove())

const start = ({ environment }: TestWorld, env: Record<string, string> = {}) => {
  server = runServer({ dataDir: folder.dataDir, env: { ...environment, ...env } })
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

type Answer = Partial<{
  message: string
  token: string
  depositWallet: string
  creditBalance: number
  withdrawals: { state: string; reasons: string[] }[]
}>

/** Logs in a new wallet, deposits on the chain, and withdraws a part. */
async function depositAndWithdraw(url: string, rpcUrl: string): Promise<() => Promise<Answer>> {
  const { wallet, sign } = testPlayer()
  let token = ''
  const ask = async (path: string, body?: object): Promise<Answer> => {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { 'x-auth-token': token }),
    }
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    return (await fetch(`${url}${path}`, init)).json() as Promise<Answer>
  }
  const signed = (message = '') => ({ message, signature: sign(message).toString('base64') })

  const { message } = await ask('/api/users/nonce', { walletAddress: wallet })
  token = (await ask('/api/users/verify-wallet', { ...signed(message), walletAddress: wallet })).token!
  const { depositWallet } = await ask('/api/users/deposit-address')
  await askLocalFaucet(rpcUrl, { owner: depositWallet as Address, baseUnits: cotton(500), lamports: 0n })
  await waitFor('the deposit', async () => (await ask(`/api/users/wallet/${wallet}`)).creditBalance === 500)
  const challenge = await ask('/api/users/withdrawals/challenge', { amount: 100 })
  await ask('/api/users/withdrawals', { amount: 100, ...signed(challenge.message) })
  return () => ask('/api/users/withdrawals')
}

const A_BUSY_MACHINE = { timeout: 180_000 }

test(
  'with another CLUSTER the local chain has strict rules, alerts and no faucet, also after a restart',
  A_BUSY_MACHINE,
  async ({ world }) => {
    const chainPort = await findFreePort(2)
    const url = await start(world, { CLUSTER: 'devnet', CHAIN_RPC_PORT: String(chainPort) })
    try {
      expect(await clusterAt(url)).toMatchObject({ cluster: 'devnet', explorer: null })
      const faucet = await fetch(`${url}/api/local/faucet`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ walletAddress: 'So11111111111111111111111111111111111111112' }),
      })
      expect(faucet.status).toBe(404)
      // The treasury is not funded.
      await waitFor('the alarms of an empty treasury', () => server.output().includes('"alarm":"sol_low"'))
      expect(server.output()).toContain('"alarm":"tokens_low"')
      const readWithdrawals = await depositAndWithdraw(url, `http://127.0.0.1:${chainPort}`)
      const first = async () => (await readWithdrawals()).withdrawals?.[0]
      await waitFor('the verdict', async () => (await first())?.state !== 'requested')
      expect(await first()).toMatchObject({
        state: 'review',
        reasons: expect.arrayContaining(['first_withdrawal']),
      })
    } finally {
      await stop()
    }

    // The ledger is bound to the cluster, so the setting is no longer needed.
    expect((await clusterAt(await start(world))).cluster).toBe('devnet')
    await stop()

    server = runServer({ dataDir: folder.dataDir, env: { ...world.environment, CLUSTER: 'local' } })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(
      'CLUSTER is local, but this database belongs to a game on devnet: set CLUSTER=devnet or remove it',
    )
  },
)
