// The baseline: a bare `ws` server that commits the same changes and immediately sends the same frames to the same
// sockets. It computes the frames in memory and reads nothing from the database.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { CONTINENTS, type ContinentCode } from '#game/continents.ts'
import { openDb } from '#server/platform/db/db.ts'
import { commitMove } from './commit-move.ts'
import type { Frames } from './frames.ts'
import { answerQuestions } from './answer-questions.ts'

const { prices, hello, status }: Frames = JSON.parse(process.env.FRAMES ?? '') as Frames

const db = openDb(process.env.DATABASE_URL ?? '', { max: 10, applicationName: 'bench-bare' })
const server = createServer()
const wss = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false })
const everybody = new Set<WebSocket>()
const subscribers = new Map(CONTINENTS.map((code) => [code, new Set<WebSocket>()]))

const send = (sockets: Iterable<WebSocket>, message: unknown) => {
  const frame = Buffer.from(JSON.stringify(message))
  for (const socket of sockets) socket.send(frame, { binary: false })
}

wss.on('connection', (socket) => {
  everybody.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => {
    everybody.delete(socket)
    for (const all of subscribers.values()) all.delete(socket)
  })
  socket.on('message', (text) => {
    const { topic } = JSON.parse(String(text)) as { topic: string }
    const code = topic.slice('continent:'.length) as ContinentCode
    subscribers.get(code)!.add(socket)
    send([socket], status[code])
  })
  for (const message of [prices, ...hello]) send([socket], message)
})

server.listen(0, '127.0.0.1', () => {
  answerQuestions({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async change(at) {
      const { code } = await commitMove(db, at)
      return () => {
        const price = prices.data.find((each) => each.continentCode === code)!
        const version = ++price.version
        status[code].data.version = version
        const topic = subscribers.get(code)!
        send(everybody, prices)
        send(topic, status[code])
        send(topic, { type: 'parcelUpdate', data: { regionId: code, version } })
        return `${code}:${version}`
      }
    },
    async end() {
      for (const socket of everybody) socket.terminate()
      server.close()
      await db.end()
    },
  })
})
