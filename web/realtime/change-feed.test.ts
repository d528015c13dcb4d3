import '#web/api/browser-stub.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ServerMessage } from '#contract/realtime.ts'
import { freshnessOf, pollEveryMs } from './freshness.ts'
import {
  createChangeFeed,
  MOVE_WITHIN_MS,
  REOPEN_AFTER_HIDDEN_MS,
  UNSUBSCRIBE_DELAY_MS,
  type FeedSocket,
  readFrame,
} from './change-feed.ts'

/** The browser's end of a socket, in the hands of the test. */
class Wire implements FeedSocket {
  readonly sent: unknown[] = []
  closed = false
  #listeners = new Map<string, (event: { data?: unknown; code?: number }) => void>()
  addEventListener(type: string, listener: (event: { data?: unknown; code?: number }) => void): void {
    this.#listeners.set(type, listener)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  close(): void {
    this.closed = true
  }
  happen(type: 'open' | 'close' | 'message', data?: unknown): void {
    this.#listeners.get(type)?.({ data })
  }
  closeWith(code: number): void {
    this.#listeners.get('close')?.({ code })
  }
}

function openTestFeed() {
  const wires: Wire[] = []
  const received: ServerMessage[] = []
  const line = createChangeFeed({
    open: () => {
      const wire = new Wire()
      wires.push(wire)
      return wire
    },
    onMessage: (message) => received.push(message),
  })
  return { line, wires, received }
}

const subscribed = (code: string) => ({ type: 'subscribe', topic: `continent:${code}` })

/** The page that the feed asks whether it is hidden. */
const page = { hidden: false }

beforeEach(() => {
  vi.useFakeTimers()
  page.hidden = false
  vi.stubGlobal('document', page)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a page of land reopens a lost socket after exactly 3000 ms and subscribes again (S-95, S-98)', () => {
  const { line, wires } = openTestFeed()
  const stop = line.start()
  line.follow('EU')
  wires[0]!.happen('open')
  expect(wires[0]!.sent).toEqual([subscribed('EU')])
  expect(pollEveryMs(line.state.get(), false)).toBe(30_000)

  wires[0]!.happen('close')
  expect(pollEveryMs(line.state.get(), false)).toBe(1_000)
  vi.advanceTimersByTime(2_999)
  expect(wires).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(wires).toHaveLength(2)
  wires[1]!.happen('open')
  expect(wires[1]!.sent).toEqual([subscribed('EU')])
  expect(pollEveryMs(line.state.get(), false)).toBe(30_000)
  stop()
})

test('every other page reopens it after 5000 ms (S-98)', () => {
  const { line, wires } = openTestFeed()
  const stop = line.start()
  wires[0]!.happen('close')
  vi.advanceTimersByTime(4_999)
  expect(wires).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(wires).toHaveLength(2)
  stop()
})

test('the page that is open 3000 ms after the loss decides, not the one that lost the socket', () => {
  const { line, wires } = openTestFeed()
  const stop = line.start()
  wires[0]!.happen('close')
  vi.advanceTimersByTime(1_000)
  const leave = line.follow('EU')
  vi.advanceTimersByTime(1_999)
  expect(wires).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(wires).toHaveLength(2)

  wires[1]!.happen('close')
  leave()
  vi.advanceTimersByTime(4_999)
  expect(wires).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(wires).toHaveLength(3)
  stop()
})

test('a socket that a restarting server closes is reopened after a random part of half a second, and after that as any other', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.75)
  const { line, wires } = openTestFeed()
  const stop = line.start()
  wires[0]!.happen('open')
  wires[0]!.closeWith(1001)
  vi.advanceTimersByTime(0.75 * MOVE_WITHIN_MS - 1)
  expect(wires).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(wires).toHaveLength(2)
  // No other server took over.
  wires[1]!.closeWith(1006)
  vi.advanceTimersByTime(4_999)
  expect(wires).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(wires).toHaveLength(3)
  stop()
})

test('two followers of a continent share one subscription, which ends with the last one', () => {
  const { line, wires } = openTestFeed()
  const stop = line.start()
  wires[0]!.happen('open')
  const leaveFirst = line.follow('AF')
  const leaveSecond = line.follow('AF')
  leaveFirst()
  expect(wires[0]!.sent).toEqual([subscribed('AF')])
  leaveSecond()
  vi.advanceTimersByTime(UNSUBSCRIBE_DELAY_MS - 1)
  expect(wires[0]!.sent).toEqual([subscribed('AF')])
  vi.advanceTimersByTime(1)
  expect(wires[0]!.sent.at(-1)).toEqual({ type: 'unsubscribe', topic: 'continent:AF' })
  stop()
})

test('moving back and forth between pages sends nothing to the server', () => {
  const { line, wires } = openTestFeed()
  const stop = line.start()
  wires[0]!.happen('open')
  for (let walk = 0; walk < 30; walk += 1) line.follow('OC')()
  const leave = line.follow('OC')
  vi.advanceTimersByTime(10 * UNSUBSCRIBE_DELAY_MS)
  expect(wires[0]!.sent).toEqual([subscribed('OC')])
  leave()
  stop()
})

test('a page of land that was left without a socket is subscribed again when the player returns', () => {
  const { line, wires } = openTestFeed()
  const stop = line.start()
  const leave = line.follow('EU')
  wires[0]!.happen('open')
  wires[0]!.happen('close')
  leave()
  vi.advanceTimersByTime(5_000)
  wires[1]!.happen('open')
  const leaveAgain = line.follow('EU')
  expect(wires[1]!.sent).toEqual([subscribed('EU')])

  // React removes the layout, which stops the feed, before the page in it.
  stop()
  leaveAgain()
  const stopAgain = line.start()
  wires[2]!.happen('open')
  line.follow('EU')
  vi.advanceTimersByTime(UNSUBSCRIBE_DELAY_MS)
  expect(wires[2]!.sent).toEqual([subscribed('EU')])
  stopAgain()
})

test('a stopped socket delivers nothing more and is not reopened', () => {
  const { line, wires, received } = openTestFeed()
  const stop = line.start()
  wires[0]!.happen('open')
  const frame = '{"type":"listingUpdate","data":{"version":1}}'
  wires[0]!.happen('message', frame)
  stop()
  expect(wires[0]!.closed).toBe(true)
  wires[0]!.happen('message', frame)
  wires[0]!.happen('close')
  vi.advanceTimersByTime(60_000)
  expect(received).toEqual([JSON.parse(frame)])
  expect(wires).toHaveLength(1)
})

test('the socket closes at once when the browser goes offline, and opens at once when it is online', () => {
  const { line, wires } = openTestFeed()
  const stop = line.start()
  wires[0]!.happen('open')
  window.dispatchEvent(new Event('offline'))
  expect(line.state.get()).toBe('down')
  expect(wires[0]!.closed).toBe(true)
  window.dispatchEvent(new Event('online'))
  expect(wires).toHaveLength(2)
  stop()
})

test('a page that comes back after more than a minute opens a new socket, because a phone may have lost the old one', () => {
  const hideFor = (ms: number): void => {
    page.hidden = true
    window.dispatchEvent(new Event('visibilitychange'))
    vi.advanceTimersByTime(ms)
    page.hidden = false
    window.dispatchEvent(new Event('visibilitychange'))
  }
  const { line, wires } = openTestFeed()
  const stop = line.start()
  line.follow('EU')
  wires[0]!.happen('open')
  hideFor(REOPEN_AFTER_HIDDEN_MS)
  expect(wires).toHaveLength(1)
  hideFor(REOPEN_AFTER_HIDDEN_MS + 1)
  expect([wires.length, wires[0]!.closed]).toEqual([2, true])
  wires[1]!.happen('open')
  expect(wires[1]!.sent).toEqual([subscribed('EU')])
  stop()
  hideFor(REOPEN_AFTER_HIDDEN_MS + 1)
  expect(wires).toHaveLength(2)
})

test('a page that was opened in the background, and is shown after more than a minute, opens a new socket', () => {
  page.hidden = true
  const { line, wires } = openTestFeed()
  const stop = line.start()
  wires[0]!.happen('open')
  vi.advanceTimersByTime(REOPEN_AFTER_HIDDEN_MS + 1)
  page.hidden = false
  window.dispatchEvent(new Event('visibilitychange'))
  expect([wires.length, wires[0]!.closed]).toEqual([2, true])
  stop()
})

test('data that is not a frame is dropped', () => {
  for (const data of ['', 'no json', 'null', '7', '{"type":"x"}', new Uint8Array(3)])
    expect(readFrame(data)).toBeNull()
  expect(readFrame('{"type":"listingUpdate","data":{"version":1}}')).toMatchObject({ type: 'listingUpdate' })
})

test('while the socket is open, a failed read is retried, and another repeated: the socket may only look open', () => {
  expect(pollEveryMs('open', true)).toBe(3_000)
  expect(pollEveryMs('open', false)).toBe(30_000)
  // Listings are read every half minute by themselves.
  expect(pollEveryMs('open', false, false)).toBe(false)
  expect(pollEveryMs('open', true, false)).toBe(3_000)
  expect(pollEveryMs('down', true)).toBe(1_000)
  expect(pollEveryMs('connecting', false)).toBe(1_000)
})

test('the badge shows live with a socket, polling without one, and offline without any response', () => {
  const fine = { lastReadFailed: false, online: true }
  expect(freshnessOf({ ...fine, feedState: 'open' })).toBe('live')
  expect(freshnessOf({ ...fine, feedState: 'down' })).toBe('polling')
  expect(freshnessOf({ ...fine, feedState: 'connecting' })).toBe('polling')
  expect(freshnessOf({ ...fine, feedState: 'down', lastReadFailed: true })).toBe('offline')
  expect(freshnessOf({ ...fine, feedState: 'down', online: false })).toBe('offline')
})
