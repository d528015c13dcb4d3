import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { openSocket, socketUrl, type TestSocket } from '#tests/support/test-socket.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { encodeFrame } from './encode-frame.ts'
import { type Channel, serveSockets, type Sockets } from './sockets.ts'

// Events during a broadcast, in every order. Each socket must end with the newest state, and must never receive older
// state after newer.

const CODES = ['EU', 'AS'] as const
type Code = (typeof CODES)[number]
const CHANNELS = ['prices', 'continent:EU', 'continent:AS'] as const
type Name = (typeof CHANNELS)[number]

const open: { server: Server; sockets: Sockets }[] = []

afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    await sockets.close()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** A server that sends to one socket per turn of the event loop, and calls `beforeSend` before each. */
async function serve({ beforeSend, sliceMs }: { beforeSend(): void; sliceMs?: number }) {
  const versions: Record<Name, number> = { prices: 0, 'continent:EU': 0, 'continent:AS': 0 }
  const prices = () => [
    encodeFrame({
      type: 'continentPrices',
      data: [{ continentCode: 'EU', currentPrice: 1, version: versions.prices }],
    }),
  ]
  const status = (code: Code) => {
    const version = versions[`continent:${code}`]
    const data = { continentCode: code, total: 52, owned: 0, parcels: [], version }
    return [
      encodeFrame({ type: 'parcelStatus', data }),
      encodeFrame({ type: 'parcelUpdate', data: { regionId: code, version } }),
    ]
  }
  const telling = (audience: Channel['audience'], frames: () => Buffer[]): Channel => ({
    audience,
    snapshot: frames,
    changeFrames() {
      beforeSend()
      return frames()
    },
  })
  const server = createServer()
  const sockets = serveSockets(server, {
    channels: new Map<string, Channel>([
      ['prices', telling('everyone', prices)],
      ...CODES.map((code): [string, Channel] => [
        `continent:${code}`,
        telling('subscribers', () => status(code)),
      ]),
    ]),
    publicUrl: 'http://farm.test',
    log: pino({ level: 'silent' }),
    ...(sliceMs !== undefined && { sliceMs }),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ server, sockets })
  const change = (name: Name) => {
    versions[name] += 1
    sockets.announce(name)
  }
  return { url: socketUrl(server), server, sockets, versions, change }
}

type Client = TestSocket & { topics: Set<Name>; gone: boolean }

function versionsOf(client: TestSocket, name: Name): number[] {
  return client.received.flatMap((message) => {
    if (name === 'prices') return message.type === 'continentPrices' ? [message.data[0]!.version] : []
    const code = name.slice('continent:'.length)
    if (message.type === 'parcelStatus' && message.data.continentCode === code) return [message.data.version]
    if (message.type === 'parcelUpdate' && message.data.regionId === code) return [message.data.version]
    return []
  })
}

type Act = { what: 'change' | 'join' | 'leave' | 'pause' | 'resume' | 'subscribe' | 'unsubscribe' } & {
  who: number
  name: Name
}

const acts = fc.record<Act>({
  what: fc.constantFrom('change', 'change', 'join', 'leave', 'pause', 'resume', 'subscribe', 'unsubscribe'),
  who: fc.nat(20),
  name: fc.constantFrom(...CHANNELS),
})

test('whatever happens during a broadcast, no socket receives older state after newer, and all receive the newest', async () => {
  const plans = fc.array(fc.record({ behind: fc.nat(5), act: acts }), { minLength: 5, maxLength: 40 })
  await fc.assert(fc.asyncProperty(plans, playBroadcasts), { numRuns: 25, seed: 1998, endOnFailure: true })
})

async function playBroadcasts(plan: readonly { behind: number; act: Act }[]): Promise<void> {
  const clients: Client[] = []
  const joining: Promise<void>[] = []
  const left = [...plan]
  let wait = 0
  const { url, versions, change, sockets } = await serve({
    sliceMs: 0,
    beforeSend() {
      if (wait-- > 0) return
      const next = left.shift()
      if (!next) return
      wait = next.behind
      doNow(next.act)
    },
  })
  const join = async () => {
    const client: Client = { ...(await openSocket(url)), topics: new Set(), gone: false }
    clients.push(client)
  }
  const doNow = ({ what, who, name }: Act) => {
    const client = clients[who % clients.length]!
    if (what === 'change') change(name)
    else if (what === 'join') joining.push(join())
    else if (client.gone) return
    else if (what === 'leave') {
      // One socket must stay, or nothing more is sent.
      if (client === clients[0]) return
      client.gone = true
      client.socket.terminate()
    } else if (what === 'pause' || what === 'resume') client.socket[what]()
    else if (name !== 'prices') {
      client.send({ type: what, topic: name })
      client.topics[what === 'subscribe' ? 'add' : 'delete'](name)
    }
  }

  await Promise.all(Array.from({ length: 12 }, join))
  for (const [at, client] of clients.entries()) {
    const name = CHANNELS[1 + (at % 2)]!
    client.send({ type: 'subscribe', topic: name })
    client.topics.add(name)
  }
  // A broadcast may end before the plan does.
  await waitFor('the plan to be played', () => {
    if (left.length > 0) change('prices')
    return left.length === 0
  })
  await Promise.all(joining)
  for (const { socket } of clients) socket.resume()
  const staying = clients.filter((client) => !client.gone)
  const isCurrent = (client: Client) =>
    (['prices', ...client.topics] as Name[]).every(
      (name) => versionsOf(client, name).at(-1) === versions[name],
    )
  await waitFor('all to know the newest', () => staying.every(isCurrent))
  for (const client of clients) {
    for (const name of CHANNELS) {
      const sequence = versionsOf(client, name)
      expect(sequence).toEqual(sequence.toSorted((a, b) => a - b))
    }
  }
  await waitFor('those who left to be forgotten', () => sockets.count() === staying.length)
  for (const { socket } of clients) socket.terminate()
}

test('a frame is built once per slice, and again in the next slice', async () => {
  const builds = { long: 0, short: 0 }
  for (const [kind, sliceMs] of [
    ['long', 10_000],
    ['short', 0],
  ] as const) {
    const { url, change } = await serve({ beforeSend: () => (builds[kind] += 1), sliceMs })
    const crowd = await Promise.all(Array.from({ length: 50 }, () => openSocket(url)))
    change('prices')
    await Promise.all(
      crowd.map((each) => each.waitForFrame('continentPrices', ([first]) => first!.version === 1)),
    )
  }
  expect(builds).toEqual({ long: 1, short: 50 })
})

test('all frames for a socket in one tick are one write', async () => {
  const { url, change, server } = await serve({ beforeSend: () => {} })
  let writes = 0
  server.prependListener('upgrade', (_request, stream: Duplex) => {
    const write = stream.write.bind(stream) as (bytes: unknown) => boolean
    stream.write = (bytes: unknown) => {
      writes += 1
      return write(bytes)
    }
  })
  const socket = await openSocket(url)
  for (const code of CODES) socket.send({ type: 'subscribe', topic: `continent:${code}` })
  await waitFor('both continents', () => socket.framesOf('parcelStatus').length === 2)
  writes = 0
  for (const name of CHANNELS) change(name)
  await waitFor('all of it', () => socket.framesOf('parcelUpdate').length === 4)
  expect(socket.received.slice(-5).map(({ type }) => type)).toEqual([
    'continentPrices',
    'parcelStatus',
    'parcelUpdate',
    'parcelStatus',
    'parcelUpdate',
  ])
  expect(writes).toBe(1)
})
