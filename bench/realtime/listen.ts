// A process with many sockets. To save CPU time it parses only which price changes have arrived, and when.
import { connect, type Socket } from 'node:net'
import { CONTINENTS, type ContinentCode } from '#game/continents.ts'
import { eachFrame, PONG, subscribeFrame, upgradeRequest } from './raw-socket.ts'
import { machineMs } from './answer-questions.ts'

/** A command for the listeners: connect, or report which of these changes were received. */
export type ListenQuestion =
  | { what: 'connect'; url: string; sockets: number }
  | { what: 'received'; announced: Map<string, number> }

export type Received = {
  /** The changes received, counted once per socket. */
  changes: number
  /** The frames received, of all kinds. */
  frames: number
  /** The time from the first announcement to the last arrival. */
  seconds: number
  p50Ms: number
  p99Ms: number
  /** Sockets that the server has closed. */
  closed: number
}

type Versions = Map<ContinentCode, number>

// Every socket receives the same bytes, so each message is parsed once.
const known: { bytes: Buffer; versions: Versions }[] = []
let receipts: { from: number; to: number; at: number }[] = []
let [frames, closed, ready] = [0, 0, 0]

process.on('message', (question: ListenQuestion) => {
  if (question.what === 'connect') void connectAll(question)
  else void answerReceived(question.announced)
})
process.once('disconnect', () => process.exit())
process.send?.('ready')

async function connectAll({ url, sockets }: { url: string; sockets: number }): Promise<void> {
  const { hostname, port } = new URL(url)
  // Few at a time, so that the server's listen backlog never overflows.
  for (let at = 0; at < sockets; at += 100) {
    const some = Array.from({ length: Math.min(100, sockets - at) }, (_, nth) =>
      listen(hostname, { port: Number(port), topic: CONTINENTS[(at + nth) % CONTINENTS.length]! }),
    )
    await Promise.all(some)
  }
  process.send?.(ready)
}

function listen(host: string, { port, topic }: { port: number; topic: ContinentCode }): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host, port, noDelay: true }, () => socket.write(upgradeRequest(port)))
    let unread: Buffer = Buffer.alloc(0)
    let upgraded = false
    let last = -1
    socket.on('error', reject)
    socket.on('close', () => {
      closed += 1
      reject(new Error('The server closed a socket'))
    })
    socket.on('data', (chunk) => {
      let bytes: Buffer = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
      if (!upgraded) {
        const end = bytes.indexOf('\r\n\r\n')
        if (end < 0) return void (unread = bytes)
        bytes = bytes.subarray(end + 4)
        upgraded = true
        socket.write(subscribeFrame(`continent:${topic}`))
      }
      const read = eachFrame(bytes, (opcode, payload) => {
        if (opcode === 9) return void socket.write(PONG)
        frames += 1
        // The type is the first field, and its first letter is unique.
        const isPrices = payload[9] === 0x63
        if (!isPrices) {
          const isStatus = payload.subarray(9, 21).toString('latin1') === 'parcelStatus'
          if (isStatus && last >= 0) arrive()
          return
        }
        const now = indexOf(payload)
        if (last >= 0 && now !== last) receipts.push({ from: last, to: now, at: machineMs() })
        last = now
      })
      unread = read === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(read))
    })
    let arrived = false
    const arrive = () => {
      if (arrived) return
      arrived = true
      ready += 1
      resolve()
    }
  })
}

function indexOf(payload: Buffer): number {
  for (let at = known.length - 1; at >= Math.max(0, known.length - 64); at--) {
    if (payload.equals(known[at]!.bytes)) return at
  }
  const { data } = JSON.parse(payload.toString()) as {
    data: { continentCode: ContinentCode; version: number }[]
  }
  known.push({
    bytes: Buffer.from(payload),
    versions: new Map(data.map((each) => [each.continentCode, each.version])),
  })
  return known.length - 1
}

/** Waits until no more frames arrive, and reports which of these changes were received. */
async function answerReceived(announced: Map<string, number>): Promise<void> {
  for (let before = -1; before !== frames;) {
    before = frames
    await new Promise((wait) => setTimeout(wait, 400))
  }
  const delays: number[] = []
  let lastAt = 0
  const steps = new Map<string, number[]>()
  for (const { from, to, at } of receipts) {
    const step = `${from} ${to}`
    const times = steps.get(step) ?? timesBetween(known[from]!.versions, known[to]!.versions, announced)
    steps.set(step, times)
    for (const time of times) delays.push(at - time)
    if (times.length > 0) lastAt = Math.max(lastAt, at)
  }
  const sorted = Float64Array.from(delays).toSorted()
  const received: Received = {
    changes: delays.length,
    frames,
    seconds: (lastAt - Math.min(...announced.values())) / 1000,
    p50Ms: sorted[Math.floor(sorted.length * 0.5)]!,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)]!,
    closed,
  }
  receipts = []
  frames = 0
  process.send?.(received)
}

function timesBetween(from: Versions, to: Versions, announced: Map<string, number>): number[] {
  return [...to]
    .flatMap(([code, version]) => {
      const first = from.get(code)! + 1
      const count = Math.max(0, version - first + 1)
      return Array.from({ length: count }, (_, nth) => announced.get(`${code}:${first + nth}`) ?? [])
    })
    .flat()
}
