import './browser-stub.ts'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { startSession } = await import('./session.ts')
const { readAllWorkers } = await import('./use-owned-workers.ts')

const picker = (workerId: string) => ({
  workerId,
  workerType: 'kid',
  totalGeneratedTokens: 0,
  claimedGeneratedTokens: 0,
  unclaimedTokens: 0,
  generationRate: 5_000,
  purchaseDate: '2026-01-05T12:00:00.000Z',
  lastTokenUpdate: '2026-01-05T12:00:00.000Z',
})

// Two pages and the rest, as the server gives them.
const PAGES: Record<string, object> = {
  '': { success: true, workers: [picker('kid-0001'), picker('kid-0002')], next: 'kid-0002' },
  'kid-0002': { success: true, workers: [picker('kid-0003'), picker('kid-0004')], next: 'kid-0004' },
  'kid-0004': { success: true, workers: [picker('kid-0005')], next: null },
}

let server: Server
const plainFetch = globalThis.fetch

beforeAll(async () => {
  server = createServer((request, response) => {
    const after = new URL(request.url ?? '', 'http://farm.test').searchParams.get('after') ?? ''
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(PAGES[after]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  globalThis.fetch = (input, init) => plainFetch(new URL(String(input), origin), init)
  startSession({ token: 'token', walletAddress: 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi' })
})
afterAll(() => {
  globalThis.fetch = plainFetch
  server.close()
  server.closeAllConnections()
})

test('a farm of many pages is read to its end', async () => {
  const workers = await readAllWorkers(AbortSignal.timeout(5_000))
  expect(workers.map(({ workerId }) => workerId)).toEqual([
    'kid-0001',
    'kid-0002',
    'kid-0003',
    'kid-0004',
    'kid-0005',
  ])
})
