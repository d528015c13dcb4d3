import '#web/api/browser-stub.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { EMPTY_WORLD } from './land-changes.ts'
import { changeFeed, worldState } from './world-state.ts'

/** The browser's end of a socket, in the hands of the test. */
class TestSocket {
  static readonly opened: TestSocket[] = []
  readonly #listeners = new Map<string, (event: { data?: unknown }) => void>()
  constructor() {
    TestSocket.opened.push(this)
  }
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void {
    this.#listeners.set(type, listener)
  }
  send(): void {}
  close(): void {}
  happen(type: 'open' | 'close'): void {
    this.#listeners.get(type)?.({})
  }
  sendPrice(currentPrice: number, version: number): void {
    const frame = { type: 'continentPrices', data: [{ continentCode: 'EU', currentPrice, version }] }
    this.#listeners.get('message')?.({ data: JSON.stringify(frame) })
  }
}

const shownPrice = () => worldState.get().EU.price?.amount

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', TestSocket)
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { origin: 'http://farm.test' } }))
  worldState.set(EMPTY_WORLD)
})
afterEach(() => {
  worldState.set(EMPTY_WORLD)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('an older price is shown only if a new connection begins with it, as after a restore', () => {
  const stop = changeFeed.start()
  const [before] = TestSocket.opened
  before!.happen('open')
  before!.sendPrice(104_000, 2)
  before!.sendPrice(102_000, 1)
  expect(shownPrice()).toBe(cotton(104_000))

  before!.happen('close')
  vi.advanceTimersByTime(5_000)
  const [, after] = TestSocket.opened
  after!.happen('open')
  expect(shownPrice()).toBe(cotton(104_000))
  after!.sendPrice(102_000, 1)
  expect(shownPrice()).toBe(cotton(102_000))
  stop()
})
