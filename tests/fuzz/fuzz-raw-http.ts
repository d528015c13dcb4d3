import { Agent } from 'node:http'
import * as fc from 'fast-check'
import { RAW_REGRESSIONS } from './corpus.ts'
import type { FuzzReport } from './fuzz-http.ts'
import type { FuzzedGame } from './fuzzed-game.ts'
import { findRawFault, readAnswers } from './judge-raw-answers.ts'
import { type RawCase, rawCases } from './raw-requests.ts'
import { honestRequest, type Listener } from './well-formed-requests.ts'
import { sendBytes } from './send-bytes.ts'
import { sendRequest } from './send-request.ts'

/** Connections at once for each listener. Most of the time of a connection is spent waiting. */
const LANES = 16

/** Longer than the server waits for the rest of a request: 8 s, looked at each second. */
const LIMIT_MS = 12_000
/** To shrink a case that is neither answered nor closed takes `LIMIT_MS` for each attempt. */
const LONGEST_MS = 300_000

const MOST_GROWTH_BYTES = 16 * 1024 * 1024

const LISTENERS: readonly Listener[] = ['game', 'console', 'chain']

type Client = {
  send(given: RawCase): Promise<string | null>
  counts: { connections: number; bytes: number; answers: number; honest: number }
  close(): void
}

/** Sends cases to one listener, and after each of them a well-formed request over a connection that others used. */
function createClient(listener: Listener, url: string): Client {
  const counts = { connections: 0, bytes: 0, answers: 0, honest: 0 }
  const agent = new Agent({ keepAlive: true, maxSockets: LANES })
  const { method, path, body } = honestRequest(listener)
  const headers = [['content-type', 'application/json']] as const
  const honest = { method, path, headers, body: body === '' ? null : body }
  let right: string | null = null
  const findHonestFault = async (): Promise<string | null> => {
    const answer = await sendRequest(honest, { url, agent, limitMs: LIMIT_MS }).catch(String)
    const shown = typeof answer === 'string' ? answer : `${answer.status} ${answer.text}`
    counts.honest += 1
    right ??= shown
    return shown === right && shown.startsWith('200 ')
      ? null
      : `somebody else is answered ${shown.slice(0, 200)}`
  }
  return {
    counts,
    async send(given) {
      const { expected } = given
      const isComplete = (received: string): boolean =>
        expected === 'anything' ||
        (Array.isArray(expected) &&
          readAnswers(
            received,
            expected.map((each) => each.method),
          ).answers.length >= expected.length)
      const first = await sendBytes(given, { url, limitMs: LIMIT_MS, isComplete })
      // On a busy machine the game may not have run for so long. One that does not answer will not do so later either.
      const outcome = first.closed
        ? first
        : await sendBytes(given, { url, limitMs: 2 * LIMIT_MS, isComplete })
      counts.connections += 1
      counts.bytes += given.bytes.length
      counts.answers += readAnswers(outcome.received).answers.length
      return findRawFault(listener, given, outcome) ?? findHonestFault()
    },
    close: () => agent.destroy(),
  }
}

/** Sends bytes that are no HTTP, or break its rules, over this many connections to each listener that speaks HTTP. */
export async function fuzzRawHttp(
  game: FuzzedGame,
  { connections, seed }: { connections: number; seed: number },
): Promise<FuzzReport> {
  const urls: Record<Listener, string> = { game: game.url, console: game.consoleUrl, chain: game.rpcUrl }
  const clients = LISTENERS.map((listener) => [listener, createClient(listener, urls[listener])] as const)
  const findings: string[] = []
  for (const [listener, client] of clients)
    for (const stored of RAW_REGRESSIONS[listener]) {
      const fault = await client.send(stored)
      if (fault !== null) findings.push(`a stored case of ${listener} fails again: ${fault}`)
    }
  const runAll = async (share: number, from: number): Promise<void> => {
    const numRuns = Math.max(1, Math.ceil((connections * share) / LISTENERS.length / LANES))
    const lanes = clients.flatMap(([listener, client]) =>
      Array.from({ length: LANES }, (_, lane) =>
        searchFault(listener, client, { seed: from + lane, numRuns, interruptAfterTimeLimit: LONGEST_MS }),
      ),
    )
    findings.push(...(await Promise.all(lanes)).filter((found) => found !== null))
  }
  await runAll(0.2, seed * 1_000)
  const before = game.exit() === null ? await game.measure() : null
  await runAll(0.8, seed * 1_000 + 500)
  const after = game.exit() === null ? await game.measure() : null
  for (const [, client] of clients) client.close()
  const grownBytes = (after?.usedBytes ?? 0) - (before?.usedBytes ?? 0)
  if (grownBytes > MOST_GROWTH_BYTES) findings.push(`the game uses ${grownBytes} bytes more than before`)
  findings.push(...[before, after].flatMap((state) => state?.problems ?? []).map((line) => `logged: ${line}`))
  if (game.exit() !== null) findings.push(game.exit()!)
  const sum = (name: keyof Client['counts']) => clients.reduce((all, [, { counts }]) => all + counts[name], 0)
  return {
    name: 'raw bytes',
    counts: {
      connections: sum('connections'),
      KiB: Math.round(sum('bytes') / 1024),
      answers: sum('answers'),
      honest: sum('honest'),
      grownKiB: Math.round(grownBytes / 1024),
    },
    findings,
  }
}

/** Runs one lane. The first fault is shrunk to the smallest case that has it. */
async function searchFault(
  listener: Listener,
  client: Client,
  options: fc.Parameters<[RawCase]>,
): Promise<string | null> {
  const property = fc.asyncProperty(rawCases(listener), async (given) => {
    const fault = await client.send(given)
    if (fault !== null) throw new Error(fault)
  })
  const { counterexample, errorInstance } = await fc.check(property, options)
  if (!counterexample) return null
  return `${listener}: ${(errorInstance as Error).message}\n  ${JSON.stringify(counterexample[0]).slice(0, 3_000)}`
}
