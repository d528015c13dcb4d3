import { expect, test } from 'vitest'
import type { Chain } from '#server/chain/port.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import { type DepositDeps, depositRoutes } from './routes.ts'

function pathsOn(localRpcUrl: string | null): string[] {
  const paths: string[] = []
  const serve: Serve = (route) => void paths.push(route.path)
  depositRoutes(serve, { chain: {} as Chain, localRpcUrl } as DepositDeps)
  return paths
}

test('only the local chain has a faucet', () => {
  expect(pathsOn('http://127.0.0.1:8899')).toContain('/api/local/faucet')
  expect(pathsOn(null)).not.toContain('/api/local/faucet')
  expect(pathsOn(null)).toContain('/api/users/deposit-address')
})
