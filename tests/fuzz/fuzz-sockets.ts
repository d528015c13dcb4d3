import type { Socket } from 'node:net'
import * as fc from 'fast-check'
import { WebSocket } from 'ws'
import { ServerMessageSchema } from '#contract/realtime.ts'
import type { FuzzReport } from './fuzz-http.ts'
import type { FuzzedGame } from './fuzzed-game.ts'
import { connectionFrames, encodeSentFrame, type SentFrame } from './socket-frames.ts'

const LANES = 24
const LIMIT_MS = 10_000
const MOST_GROWTH_BYTES = 16 * 1024 * 1024

/** Codes with which the server may close: it answers a close frame, or says what was wrong. 1006: none arrived. */
const CLOSE_CODES = new Set([1000, 1002, 1003, 1005, 1006, 1007, 1008, 1009])

const LAST_PING = 'the last frame'

type Outcome = { closed: number | null; received: number; fault: string | null }

/**
 * Sends the frames of one connection in one write, and then a ping. The server must answer this ping or close the
 * connection, and everything that it sends must be what the contract declares.
 */
function sendFrames(url: string, frames: readonly SentFrame[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { perMessageDeflate: false })
    let fault: string | null = null
    let received = 0
    const end = (closed: number | null, why = fault) => {
      clearTimeout(timer)
      socket.terminate()
      resolve({ closed, received, fault: why })
    }
    const timer = setTimeout(
      () => end(null, `the server did neither answer nor close in ${LIMIT_MS} ms`),
      LIMIT_MS,
    )
    socket.on('open', () => {
      const { _socket: stream } = socket as unknown as { _socket: Socket }
      stream.on('error', () => {})
      const ping = encodeSentFrame({
        fin: true,
        rsv: 0,
        opcode: 9,
        masked: true,
        payload: LAST_PING,
        claimed: null,
        lengthBytes: 0,
      })
      stream.write(Buffer.concat([...frames.map(encodeSentFrame), ping]))
    })
    socket.on('message', (data, isBinary) => {
      received += 1
      const read = ServerMessageSchema.safeParse(isBinary ? null : JSON.parse(String(data)))
      if (!read.success) fault ??= `the server sent ${String(data).slice(0, 200)}`
    })
    socket.on('pong', (data) => {
      if (String(data) === LAST_PING) end(null)
    })
    socket.on('error', (error) => (fault ??= /ECONNRESET|EPIPE/.test(String(error)) ? null : String(error)))
    socket.on('close', (code) => end(code, CLOSE_CODES.has(code) ? fault : `the server closed with ${code}`))
  })
}

/** Sends this many frames, right and wrong, over connections of their own. */
export async function fuzzSockets(
  game: FuzzedGame,
  { frames, seed, say }: { frames: number; seed: number; say(sentence: string): void },
): Promise<FuzzReport> {
  const counts = { frames: 0, connections: 0, pings: 0, received: 0 }
  const byCode = new Map<number, number>()
  const findings: string[] = []
  const property = fc.asyncProperty(connectionFrames, async (sent) => {
    const { closed, fault, received } = await sendFrames(game.url, sent)
    counts.frames += sent.length + 1
    counts.connections += 1
    counts.received += received
    if (closed === null) counts.pings += 1
    else byCode.set(closed, (byCode.get(closed) ?? 0) + 1)
    if (fault !== null) throw new Error(fault)
  })
  let round = 0
  // So few that most frames of a short run are sent after the memory was measured first. A connection has 25 on average.
  const connectionsPerCheck = Math.min(50, Math.ceil((frames * 0.2) / LANES / 25))
  const lane = async (until: number): Promise<void> => {
    while (counts.frames < until && findings.length === 0) {
      const { counterexample, errorInstance } = await fc.check(property, {
        seed: seed * 100_000 + round++,
        numRuns: connectionsPerCheck,
      })
      if (counterexample)
        findings.push(`${(errorInstance as Error).message}\n  ${JSON.stringify(counterexample[0])}`)
      if (round % 100 === 0) say(`sockets: ${counts.frames} frames`)
    }
  }
  const lanes = (until: number) => Promise.all(Array.from({ length: LANES }, () => lane(until)))
  await lanes(frames * 0.2)
  const before = await game.measure()
  await lanes(frames)
  const after = await game.measure()
  const grownBytes = after.usedBytes - before.usedBytes
  if (grownBytes > MOST_GROWTH_BYTES) findings.push(`the game uses ${grownBytes} bytes more than before`)
  findings.push(...[...before.problems, ...after.problems].map((line) => `logged: ${line}`))
  const codes = Object.fromEntries([...byCode].toSorted().map(([code, count]) => [`closed ${code}`, count]))
  return {
    name: 'sockets',
    counts: { ...counts, ...codes, left: after.connections, grownKiB: Math.round(grownBytes / 1024) },
    findings,
  }
}
