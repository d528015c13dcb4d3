import '#web/api/browser-stub.ts'
import * as fc from 'fast-check'
import { CONTINENTS } from '#game/continents.ts'
import { ServerMessageSchema } from '#contract/realtime.ts'
import { createRandom, type Random } from '#tests/simulation/random.ts'
import { EMPTY_WORLD } from '#web/realtime/land-changes.ts'
import { worldState, changeFeed } from '#web/realtime/world-state.ts'
import { latestMarketOpen } from '#web/api/use-market-open.ts'
import type { FuzzReport } from './fuzz-http.ts'
import { damagedJson, schemaOf, valueOf } from './json-values.ts'

/** The socket that the web app opens. The server at its other end is hostile. */
class HostileSocket {
  static last: HostileSocket | null = null
  readonly #listeners = new Map<string, (event: { data?: unknown }) => void>()
  constructor() {
    HostileSocket.last = this
  }
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void {
    this.#listeners.set(type, listener)
  }
  send(): void {}
  close(): void {}
  deliver(data: unknown): void {
    this.#listeners.get('message')?.({ data })
  }
}

const GRAMMAR_FRAMES = 5_000

/** Then the page is opened anew: after a frame with the largest version, the page drops all others as older. */
const FRAMES_PER_PAGE = 50

const NUMBERS = [
  '1e999',
  '-1',
  '0.5',
  '9007199254740993',
  'null',
  '""',
  '[]',
  '{}',
  'true',
  '-0',
  '1e-400',
  '"__proto__"',
]

/** A frame made of two others: a part replaced, or a value. This is a hundred times as fast as the grammar. */
function spliceFrames(frames: readonly string[], random: Random): string {
  const [one, other] = [random.pick(frames), random.pick(frames)]
  if (random.chance(0.3)) {
    const values = [...one.matchAll(/-?\d+(\.\d+)?(e[+-]?\d+)?|null|true|false/g)]
    const value = values.length > 0 ? random.pick(values) : null
    return value
      ? one.slice(0, value.index) + random.pick(NUMBERS) + one.slice(value.index + value[0].length)
      : one
  }
  if (random.chance(0.3)) return one
  const [from, to] = [random.between(0, one.length), random.between(0, other.length)]
  return one.slice(0, from) + other.slice(to)
}

/** What is wrong with the state that the pages show; null if nothing is. */
function findStateFault(): string | null {
  const world = worldState.get()
  const known = Object.keys(world).toSorted().join()
  if (known !== [...CONTINENTS].toSorted().join()) return `the world has the continents ${known}`
  for (const code of CONTINENTS) {
    const { price, count, ownerships, listVersion, newestVersion } = world[code]
    const numbers = [
      listVersion,
      newestVersion,
      ...(price ? [price.version] : []),
      ...(count ? [count.owned, count.total] : []),
    ]
    if (numbers.some((each) => typeof each !== 'number' || Number.isNaN(each)))
      return `${code} has the numbers ${numbers.join()}`
    if (price && typeof price.amount !== 'bigint') return `${code} has a price that is no amount`
    if (!(ownerships instanceof Map)) return `${code} has no list of parcels`
  }
  return typeof latestMarketOpen.get() === 'boolean' || latestMarketOpen.get() === null
    ? null
    : 'the market is neither open nor closed'
}

/** Delivers this many frames of a hostile server to the web app's socket. */
export function fuzzReceivedFrames({ frames, seed }: { frames: number; seed: number }): FuzzReport {
  Object.assign(globalThis, { WebSocket: HostileSocket, document: { hidden: false } })
  Object.assign(window, { location: { origin: 'http://farm.test' } })
  const stop = changeFeed.start()
  const socket = HostileSocket.last!
  const findings: string[] = []
  const values = valueOf(schemaOf(ServerMessageSchema), { continentCode: CONTINENTS, regionId: CONTINENTS })
  const grammar = fc.sample(damagedJson(values), { seed, numRuns: Math.min(frames, GRAMMAR_FRAMES) })
  const random = createRandom(seed)
  let [delivered, changes] = [0, 0]
  const deliver = (text: string): void => {
    delivered += 1
    const before = worldState.get()
    try {
      socket.deliver(text)
      if (worldState.get() !== before) changes += 1
    } catch (error) {
      findings.push(`${String((error as Error).stack).slice(0, 600)}\n  ${text.slice(0, 1_000)}`)
    }
    if (delivered % FRAMES_PER_PAGE !== 0 && delivered !== frames) return
    const fault = findStateFault()
    if (fault !== null) findings.push(`${fault}\n  ${text.slice(0, 1_000)}`)
    worldState.set(EMPTY_WORLD)
  }
  for (let next = 0; next < frames && findings.length < 10; next++)
    deliver(grammar[next] ?? spliceFrames(grammar, random))
  stop()
  return { name: 'frames that the web app receives', counts: { delivered, changes }, findings }
}
