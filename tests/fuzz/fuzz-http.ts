import { Agent } from 'node:http'
import * as fc from 'fast-check'
import { CONSOLE_REFUSALS } from '#contract/console/refusals.ts'
import { CONSOLE_ROUTES } from '#contract/console/routes.ts'
import { ROUTES } from '#contract/routes.ts'
import { declaredRefusals } from '#server/platform/http/declared-refusals.ts'
import { REGRESSIONS } from './corpus.ts'
import type { FuzzedGame } from './fuzzed-game.ts'
import { type Expected, findFault } from './judge-answer.ts'
import { asCurl, type FuzzRequest, isRequestTo, otherRequest, requestTo, SESSIONS } from './requests.ts'
import { sendRequest } from './send-request.ts'
import { type FuzzWorld, openFuzzWorld } from './sessions.ts'

/** What a part of the fuzzing did, and what it found. */
export type FuzzReport = { name: string; counts: Record<string, number>; findings: string[] }

/** Longer than a response ever takes, and shorter than any timeout of the server that a whole request can meet. */
const LIMIT_MS = 20_000

/** A server that works in lanes at once meets requests in many orders. */
const LANES = 8

/** What the game may use more after the requests than after the first fifth of them. */
const MOST_GROWTH_BYTES = 24 * 1024 * 1024

type Target = {
  name: string
  url: string
  requests: fc.Arbitrary<FuzzRequest>
  expected: Expected
  /** The answers of the declared method and path. Others are judged as requests beside the contract. */
  owns(request: FuzzRequest): boolean
}

/** Refusals that come before a route is found, or in the place of its own for the changed parts of a request. */
const BESIDE_ROUTES = [
  'route_unknown',
  'address_too_long',
  'headers_too_large',
  'expectation_unknown',
  'malformed',
  'too_large',
  'wrong_media_type',
  'foreign_origin',
]

function targetsOf(game: FuzzedGame, { known }: FuzzWorld): Target[] {
  const routes = Object.entries(ROUTES).map(([name, route]): Target => ({
    name,
    url: game.url,
    requests: requestTo(route, { session: SESSIONS.player, known }),
    expected: {
      refuses: new Set([...declaredRefusals(route), ...BESIDE_ROUTES]),
      reply: route.csv ? null : route.reply,
    },
    owns: (request) => isRequestTo(route, request),
  }))
  const consoleRoutes = Object.entries(CONSOLE_ROUTES).map(([name, route]): Target => ({
    name: `console ${name}`,
    url: game.consoleUrl,
    requests: requestTo(route, { session: SESSIONS.operator, known }),
    expected: {
      refuses: new Set([...Object.keys(CONSOLE_REFUSALS), ...BESIDE_ROUTES]),
      reply: route.csv ? null : route.reply,
    },
    owns: (request) => isRequestTo(route, request),
  }))
  const beside = [game.url, game.consoleUrl].map((url, at): Target => ({
    name: at === 0 ? 'beside the contract' : 'console beside the contract',
    url,
    requests: otherRequest,
    expected: BESIDE,
    owns: () => false,
  }))
  return [...routes, ...consoleRoutes, ...beside]
}

const BESIDE: Expected = { refuses: null, reply: null }

/** Sends this many requests of the grammar to every route, in eight lanes, and judges each answer. */
export async function fuzzHttp(
  game: FuzzedGame,
  { requests, seed, say }: { requests: number; seed: number; say(sentence: string): void },
): Promise<FuzzReport> {
  const world = await openFuzzWorld(game)
  const targets = targetsOf(game, world)
  const runner = createRunner(world)
  const findings: string[] = []
  for (const { target, request } of REGRESSIONS) {
    const against = targets.find(({ name }) => name === target)!
    const fault = await runner.run(against, request)
    if (fault !== null) findings.push(`a stored case of ${target} fails again: ${fault}`)
  }
  const runAll = async (share: number, from: number): Promise<void> => {
    const queue = [...targets.entries()]
    const lane = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [at, target] = next
        const numRuns = Math.max(1, Math.round((requests * share) / targets.length))
        const found = await searchFault(runner, target, { seed: from + at, numRuns })
        if (found !== null) findings.push(found)
        say(`${target.name}: ${numRuns} requests${found === null ? '' : `, ${found}`}`)
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }
  await runAll(0.2, seed * 1_000)
  const before = await game.measure()
  await runAll(0.8, seed * 1_000 + 500)
  const after = await game.measure()
  runner.close()
  const grownBytes = after.usedBytes - before.usedBytes
  if (grownBytes > MOST_GROWTH_BYTES) findings.push(`the game uses ${grownBytes} bytes more than before`)
  findings.push(...[...before.problems, ...after.problems].map((line) => `logged: ${line}`))
  findings.push(...(await game.audit()).map((each) => `audit: ${each}`))
  if (game.exit() !== null) findings.push(game.exit()!)
  return {
    name: 'http',
    counts: {
      routes: targets.length,
      ...runner.counts(),
      grownKiB: Math.round(grownBytes / 1024),
      rssMiB: Math.round(after.rssBytes / 2 ** 20),
    },
    findings,
  }
}

const CUT = /ECONNRESET|socket hang up|EPIPE|Data after `Connection: close`/

type Runner = ReturnType<typeof createRunner>

function createRunner(world: FuzzWorld) {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES * 2 })
  const byStatus = new Map<number, number>()
  let sent = 0
  let slowestMs = 0
  const renewals = new Map<string, Promise<void>>()
  /** A request with nothing but an active session is refused once this has ended. */
  const renew = async ({ headers }: FuzzRequest): Promise<void> => {
    const session = Object.values(SESSIONS).find((name) =>
      headers.some(([, value]) => value === `Bearer ${name}` || value === name),
    )
    if (session === undefined || (await world.isActive(session))) return
    const renewal = renewals.get(session) ?? world.renew(session).finally(() => renewals.delete(session))
    renewals.set(session, renewal)
    await renewal
  }
  return {
    async run(target: Target, request: FuzzRequest): Promise<string | null> {
      const filled = {
        ...request,
        headers: request.headers.map(([name, value]) => [name, world.fill(value)] as const),
      }
      const from = performance.now()
      const answer = await sendRequest(filled, { url: target.url, agent, limitMs: LIMIT_MS }).catch(
        (error: unknown) => String(error),
      )
      sent += 1
      slowestMs = Math.max(slowestMs, performance.now() - from)
      // The server closes a connection whose request is too large, or after a request that it cannot read.
      if (typeof answer === 'string') return CUT.test(answer) && mayBeCut(request) ? null : answer
      byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1)
      if (answer.status === 401) await renew(request)
      return findFault(answer, target.owns(request) ? target.expected : BESIDE)
    },
    counts: () => ({
      sent,
      slowestMs: Math.round(slowestMs),
      ...Object.fromEntries(
        [...byStatus].toSorted(([a], [b]) => a - b).map(([status, count]) => [`answers ${status}`, count]),
      ),
    }),
    close: () => agent.destroy(),
  }
}

/**
 * A body that is too large is not read to its end. Headers that are too large are refused before the server knows the
 * method, so the answer to HEAD has a body too, after which the connection is closed.
 */
const mayBeCut = ({ method, path, body, headers }: FuzzRequest): boolean =>
  (body?.length ?? 0) > 15_000 ||
  headers.some(([name]) => name === 'expect' || name === 'connection') ||
  (method === 'HEAD' && JSON.stringify([path, headers]).length > 15_000)

/** Runs one target. The first fault is shrunk to the smallest request that has it. */
async function searchFault(
  runner: Runner,
  target: Target,
  options: { seed: number; numRuns: number },
): Promise<string | null> {
  const property = fc.asyncProperty(target.requests, async (request) => {
    const fault = await runner.run(target, request)
    if (fault !== null) throw new Error(fault)
  })
  const { counterexample, errorInstance } = await fc.check(property, options)
  const [request] = counterexample ?? []
  if (!request) return null
  const stored = JSON.stringify({ target: target.name, request })
  return `${target.name}: ${(errorInstance as Error).message}\n  ${asCurl(request, target.url)}\n  ${stored}`
}
