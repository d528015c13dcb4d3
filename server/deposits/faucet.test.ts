import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startLocalChain } from '#local-chain/run-local-chain.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { createHttpServer } from '#server/platform/http/http-server.ts'
import { type Serve, createServe } from '#server/platform/http/serve.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { type DepositDeps, depositRoutes } from './routes.ts'
import { useFaucet } from './use-faucet.ts'

type FaucetReply = { success: boolean; field?: string; amount?: number; signatures?: string[] }

function pathsOn(localRpcUrl: string | null): string[] {
  const paths: string[] = []
  const serve: Serve = (route) => void paths.push(route.path)
  depositRoutes(serve, { chain: {} as Chain, localRpcUrl } as DepositDeps)
  return paths
}

test('only the local chain has a faucet (A-34)', () => {
  expect(pathsOn('http://127.0.0.1:8899')).toContain('/api/local/faucet')
  expect(pathsOn(null)).not.toContain('/api/local/faucet')
  expect(pathsOn(null)).toContain('/api/users/deposit-address')
})

test('an address that cannot hold tokens is refused by the name of its field, without a server error', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-faucet-'))
  const local = await startLocalChain({ dir, port: 0 })
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const app = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: false },
    log,
  )
  onTestFinished(async () => {
    await app.close()
    await local.stop()
    rmSync(dir, { recursive: true })
  })
  const serve = createServe(app, { authenticate: () => Promise.reject(new Error('nobody')), limited: false })
  depositRoutes(serve, { chain: {} as Chain, localRpcUrl: local.url } as DepositDeps)
  const ask = async (walletAddress: string) => {
    const answer = await app.inject({ method: 'POST', url: '/api/local/faucet', payload: { walletAddress } })
    return { status: answer.statusCode, ...(answer.json() as FaucetReply) }
  }
  const system = '1'.repeat(32)
  const others = [
    'SysvarC1ock11111111111111111111111111111111',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  ]
  for (const [address, problem] of [
    ...[system, ...others].map((each) => [each, 'is an address that cannot hold tokens']),
    ['1'.repeat(44), 'is not a wallet address'],
  ]) {
    expect(await ask(address!)).toMatchObject({
      status: 400,
      success: false,
      field: 'walletAddress',
      message: `walletAddress: ${problem}`,
    })
  }
  const gift = await ask(testPlayer().wallet)
  expect(gift).toMatchObject({ status: 200, success: true, amount: 1_000_000 })
  expect(gift.signatures!.length).toBeGreaterThan(0)
  expect(errors).toEqual([])
})

test('a faucet that does not answer is unavailable, and no fault of the address', async () => {
  const asking = useFaucet('http://127.0.0.1:9', testPlayer().wallet)
  await expect(asking).rejects.toBeInstanceOf(ChainUnavailable)
})
