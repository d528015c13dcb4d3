import { expect, test } from 'vitest'
import { ROUTES } from '#contract/routes.ts'
import { fuzzChain } from './fuzz-chain.ts'
import { fuzzDeposits } from './fuzz-deposits.ts'
import { fuzzFiles } from './fuzz-files.ts'
import { fuzzHttp, type FuzzReport } from './fuzz-http.ts'
import { fuzzRawHttp } from './fuzz-raw-http.ts'
import { fuzzReceivedFrames } from './fuzz-received-frames.ts'
import { fuzzRpc } from './fuzz-rpc.ts'
import { fuzzSockets } from './fuzz-sockets.ts'
import { startFuzzedGame } from './fuzzed-game.ts'
import { isRequestTo } from './requests.ts'

// The short form of `npm run test:fuzz`.

const say = () => {}

/** What the fuzzing of all listeners finds in a game. */
async function fuzzGame(): Promise<FuzzReport[]> {
  const game = await startFuzzedGame()
  try {
    return [
      await fuzzHttp(game, { requests: 320, seed: 7, say }),
      await fuzzSockets(game, { frames: 10_000, seed: 7, say }),
      await fuzzRpc(game, { calls: 200, seed: 7 }),
      await fuzzRawHttp(game, { connections: 480, seed: 7 }),
    ]
  } finally {
    await game.stop()
  }
}

const LONGEST = { timeout: 240_000 }

test(
  'every request, frame and call is answered as the contract declares, whatever it contains',
  LONGEST,
  async () => {
    const reports = await fuzzGame()
    expect(reports.flatMap(({ findings }) => findings)).toEqual([])
    const [http, sockets, rpc, raw] = reports.map(({ counts }) => counts)
    expect(http!.sent).toBeGreaterThanOrEqual(300)
    expect(http!['answers 200']).toBeGreaterThan(50)
    expect(sockets!.frames).toBeGreaterThanOrEqual(10_000)
    // Else no connection would have reached its last frame, or none a subscription.
    expect(Math.min(sockets!.pings!, sockets!.received!)).toBeGreaterThan(20)
    expect(Math.min(rpc!.http!, rpc!.socket!)).toBeGreaterThan(10)
    expect(raw!.honest).toBeGreaterThanOrEqual(480)
  },
)

test('an answer is judged by the declaration of its route, whatever the parameters in its path are', () => {
  for (const { method, path } of Object.values(ROUTES)) {
    const asked = `${path.replaceAll(/:\w+/g, '%00')}?a=/`
    expect([path, isRequestTo({ method, path }, { method, path: asked })]).toEqual([path, true])
  }
  const isToSales = (path: string, method = 'GET') => isRequestTo(ROUTES.readParcelSales, { method, path })
  const others = ['/api/parcels/EU/FR/sales', '/api/parcels/EU-FR', '/API/parcels/EU-FR/sales']
  expect(others.filter((path) => isToSales(path))).toEqual([])
  expect(isToSales('/api/parcels/EU-FR/sales', 'HEAD')).toBe(false)
})

test('an answer of a node is used, or counts as none', async () => {
  const { counts, findings } = await fuzzChain({ answers: 300, seed: 7 })
  expect(findings).toEqual([])
  expect(counts.used).toBeGreaterThan(0)
  expect(counts.refused).toBeGreaterThan(0)
})

test('a deposit is credited once and exactly, whatever a node answered before', LONGEST, async () => {
  const { counts, findings } = await fuzzDeposits({ deposits: 12, seed: 7 })
  expect(findings).toEqual([])
  expect(counts.deposits).toBeGreaterThanOrEqual(12)
  expect(counts.damaged).toBeGreaterThan(0)
})

test('a file or setting of an operator is used, or refused with a reason', () => {
  const { counts, findings } = fuzzFiles({ files: 800, seed: 7 })
  expect(findings).toEqual([])
  for (const name of ['world', 'operators', 'settings']) {
    const used = counts[`${name} used`] ?? 0
    expect([name, used > 0, used < counts[name]!]).toEqual([name, true, true])
  }
})

test('no frame of a hostile server breaks the state of the web app', () => {
  const { counts, findings } = fuzzReceivedFrames({ frames: 10_000, seed: 7 })
  expect(findings).toEqual([])
  expect(counts.delivered).toBe(10_000)
  expect(counts.changes).toBeGreaterThan(1_000)
})
