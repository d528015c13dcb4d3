import { WebSocket } from 'ws'
import { CONTINENTS, type ContinentCode } from '#game/continents.ts'
import type { ServerMessage } from '#contract/realtime.ts'

type MessageOf<Type> = Extract<ServerMessage, { type: Type }>

/** The frames that a new socket receives from the product's server. The baseline sends the same ones. */
export type Frames = {
  prices: MessageOf<'continentPrices'>
  /** The other frames that every new socket receives. */
  hello: ServerMessage[]
  status: Record<ContinentCode, MessageOf<'parcelStatus'>>
}

/** Connects to a server and reads until every kind of frame has been received. */
export async function readFrames(url: string): Promise<Frames> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  const received: ServerMessage[] = []
  const enough = Promise.withResolvers<void>()
  socket.on('message', (data) => {
    received.push(JSON.parse(String(data)) as ServerMessage)
    const statusCount = received.filter((message) => message.type === 'parcelStatus').length
    if (statusCount === CONTINENTS.length) enough.resolve()
  })
  socket.on('error', enough.reject)
  socket.on('open', () => {
    for (const code of CONTINENTS) {
      socket.send(JSON.stringify({ type: 'subscribe', topic: `continent:${code}` }))
    }
  })
  await enough.promise
  socket.terminate()
  const prices = received.find((message) => message.type === 'continentPrices')!
  const hello = received.filter((message) => !['continentPrices', 'parcelStatus'].includes(message.type))
  const all = received.filter((message) => message.type === 'parcelStatus')
  const status = Object.fromEntries(all.map((message) => [message.data.continentCode, message]))
  return { prices, hello, status: status as Frames['status'] }
}
