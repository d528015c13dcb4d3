import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { encodeFrame } from './encode-frame.ts'
import { type Channel, MAX_UNREAD_BYTES, serveSockets, type Sockets } from './sockets.ts'
import { openSocket, readUpgradeStatus, socketUrl } from '#tests/support/test-socket.ts'
import { waitFor } from '#tests/support/run-server.ts'

const PUBLIC_URL = 'http://farm.test'

const open: { server: Server; sockets: Sockets }[] = []

afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    await sockets.close()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** A server with prices for everyone and Europe for subscribers. Both channels count their versions. */
async function serve(
  options: { maxSockets?: number; maxSocketsPerCaller?: number; pingEveryMs?: number; bulk?: number } = {},
) {
  const state = { version: 0, padding: 'x'.repeat(options.bulk ?? 0), afterChangeFrames: () => {} }
  const prices = () => [
    encodeFrame({
      type: 'continentPrices',
      data: [{ continentCode: 'EU', currentPrice: 100_000, version: state.version }],
    }),
  ]
  const europe = () => [
    encodeFrame({
      type: 'parcelStatus',
      data: {
        continentCode: 'EU',
        total: 52,
        owned: state.version,
        parcels: state.padding ? [{ parcelId: state.padding, owned: false, ownerWallet: null }] : [],
        version: state.version,
      },
    }),
  ]
  const channels = new Map<string, Channel>([
    ['prices', { audience: 'everyone', snapshot: prices, changeFrames: prices }],
    [
      'continent:EU',
      {
        audience: 'subscribers',
        snapshot: europe,
        changeFrames: () => {
          const frames = europe()
          state.afterChangeFrames()
          return frames
        },
      },
    ],
    ['continent:AS', { audience: 'subscribers', snapshot: () => [], changeFrames: () => [] }],
  ])
  const server = createServer()
  const log = pino({ level: 'silent' })
  const sockets = serveSockets(server, { channels, publicUrl: PUBLIC_URL, log, ...options })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ server, sockets })
  const change = (channel: 'prices' | 'continent:EU') => {
    state.version += 1
    sockets.announce(channel)
  }
  return { sockets, state, change, url: socketUrl(server), server }
}

const EUROPE = { type: 'subscribe', topic: 'continent:EU' }

test('a new socket receives the current prices, a subscriber the current parcels (A-16)', async () => {
  const { change, url, server } = await serve()
  change('prices')
  for (const path of ['/', '/ws', '/ws?since=yesterday']) {
    const socket = await openSocket(socketUrl(server, path))
    expect((await socket.waitForFrame('continentPrices'))[0]!.version).toBe(1)
  }
  const socket = await openSocket(url)
  socket.send(EUROPE)
  expect((await socket.waitForFrame('parcelStatus')).version).toBe(1)
  change('continent:EU')
  await socket.waitForFrame('parcelStatus', ({ version }) => version === 2)
})

test('only subscribers receive a topic, and none after they unsubscribe', async () => {
  const { change, url } = await serve()
  const [listener, stranger] = [await openSocket(url), await openSocket(url)]
  stranger.send({ type: 'subscribe', topic: 'continent:AS' })
  listener.send(EUROPE)
  await listener.waitForFrame('parcelStatus')
  change('continent:EU')
  await listener.waitForFrame('parcelStatus', ({ version }) => version === 1)
  listener.send({ type: 'unsubscribe', topic: 'continent:EU' })
  // Messages are handled in their order.
  listener.send({ type: 'unsubscribe', topic: 'nowhere' })
  await listener.waitForFrame('error')
  change('continent:EU')
  change('prices')
  for (const each of [listener, stranger])
    await each.waitForFrame('continentPrices', ([first]) => first!.version === 3)
  expect(listener.framesOf('parcelStatus').map(({ data }) => data.version)).toEqual([0, 1])
  expect(stranger.framesOf('parcelStatus')).toEqual([])
})

test('a thousand changes in one tick are one frame', async () => {
  const { change, url } = await serve()
  const socket = await openSocket(url)
  await socket.waitForFrame('continentPrices')
  for (let at = 0; at < 1_000; at++) change('prices')
  await socket.waitForFrame('continentPrices', ([first]) => first!.version === 1_000)
  expect(socket.framesOf('continentPrices')).toHaveLength(2)
})

test('a socket that got a newer snapshot during a broadcast does not receive older state after it', async () => {
  const { change, state, url } = await serve()
  const crowd = await Promise.all(Array.from({ length: 600 }, () => openSocket(url)))
  for (const socket of crowd) socket.send(EUROPE)
  await Promise.all(crowd.map((socket) => socket.waitForFrame('parcelStatus')))
  const last = crowd.at(-1)!
  state.afterChangeFrames = () => {
    state.afterChangeFrames = () => {}
    state.version = 2
    last.send(EUROPE)
    // So slow that the server yields before the broadcast ends.
    const until = performance.now() + 20
    while (performance.now() < until);
  }
  change('continent:EU')
  await waitFor('both frames', () => last.framesOf('parcelStatus').length === 3)
  expect(last.framesOf('parcelStatus').map(({ data }) => data.version)).toEqual([0, 2, 2])
})

test('a consumer that stops reading is disconnected, and the others still receive', async () => {
  const { change, url, sockets } = await serve({ bulk: 200_000 })
  const [sleeper, reader] = [await openSocket(url), await openSocket(url)]
  for (const socket of [sleeper, reader]) {
    socket.send(EUROPE)
    await socket.waitForFrame('parcelStatus')
  }
  sleeper.socket.pause()
  let sent = 0
  await waitFor('the sleeper to be cut off', async () => {
    change('continent:EU')
    sent += 1
    const version = sent
    await reader.waitForFrame('parcelStatus', (data) => data.version === version)
    return sockets.count() === 1
  })
  // The kernel's buffers for the idle socket, and the server's own limit.
  expect(sent * 200_000).toBeLessThan(16_000_000 + MAX_UNREAD_BYTES)
  expect(reader.socket.readyState).toBe(reader.socket.OPEN)
})

test('a flood of messages, pings or pongs gets an error and is closed', async () => {
  const { url } = await serve()
  const [talker, pinger, ponger] = [await openSocket(url), await openSocket(url), await openSocket(url)]
  for (let at = 0; at < 200; at++) {
    talker.send(EUROPE)
    pinger.socket.ping()
    ponger.socket.pong()
  }
  expect(await Promise.all([talker, pinger, ponger].map(({ closed }) => closed))).toEqual([1008, 1008, 1008])
  expect(talker.received.at(-1)).toMatchObject({ type: 'error', data: { code: 'too_fast' } })
  // Twenty at once, and five more in each second that a busy machine takes.
  expect(talker.framesOf('parcelStatus').length).toBeLessThan(100)
})

test('what a client sends after it was closed for a flood is not read', async () => {
  const { url, server } = await serve()
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  const talker = await openSocket(url)
  for (let at = 0; at < 400_000; at++) talker.send(EUROPE)
  expect(await talker.closed).toBe(1008)
  expect((await accepted).bytesRead).toBeLessThan(4 << 20)
})

test('a frame beyond 4 KiB closes with 1009, also in many small parts', async () => {
  const { url } = await serve()
  const whole = await openSocket(url)
  whole.send('x'.repeat(4_097))
  expect(await whole.closed).toBe(1009)
  const parts = await openSocket(url)
  for (let at = 0; at < 10; at++) parts.socket.send('x'.repeat(500), { fin: false })
  expect(await parts.closed).toBe(1009)
})

test('text that is not UTF-8 closes with 1007', async () => {
  const { url } = await serve()
  const socket = await openSocket(url)
  socket.socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
  expect(await socket.closed).toBe(1007)
})

test('an unknown topic is answered with an error, and the socket stays open', async () => {
  const { url } = await serve()
  const socket = await openSocket(url)
  const topics = [
    'continent:__proto__',
    'continent:XX',
    'continent:eu',
    'constructor',
    'prices',
    '',
    'toString',
  ]
  for (const topic of topics) socket.send({ type: 'subscribe', topic })
  await waitFor('an answer to each', () => socket.framesOf('error').length === topics.length)
  expect(new Set(socket.framesOf('error').map(({ data }) => data.code))).toEqual(new Set(['topic_unknown']))
  socket.send(EUROPE)
  await socket.waitForFrame('parcelStatus')
})

test('a malformed message is answered with an error, and the second closes the socket (A-17)', async () => {
  const malformed = [
    'hello',
    '',
    'null',
    '[]',
    '{"type":"subscribe"}',
    '{"type":"subscribe","topic":7}',
    '{"type":"subscribe","topic":["continent:EU"]}',
    '{"type":"publish","topic":"continent:EU"}',
    '{"type":"subscribe","topic":"continent:EU","token":"x"}',
    '{"__proto__":{"type":"subscribe","topic":"continent:EU"}}',
  ]
  const { url } = await serve()
  const offend = async (text: string) => {
    const socket = await openSocket(url)
    socket.send(text)
    const { code } = await socket.waitForFrame('error')
    const snapshots = socket.framesOf('parcelStatus')
    socket.socket.send(Buffer.from('binary'))
    return { text, code, snapshots, closed: await socket.closed }
  }
  // All at once: the server closes each connection a second after its last message.
  expect(await Promise.all(malformed.map(offend))).toEqual(
    malformed.map((text) => ({ text, code: 'malformed', snapshots: [], closed: 1008 })),
  )
})

test('pages of other sites and other paths are refused', async () => {
  const { url, server } = await serve()
  expect(await readUpgradeStatus(url, { origin: 'http://evil.test' })).toBe(403)
  expect(await readUpgradeStatus(url, { origin: 'null' })).toBe(403)
  expect(await readUpgradeStatus(url, { origin: `${PUBLIC_URL}.evil.test` })).toBe(403)
  expect(await readUpgradeStatus(socketUrl(server, '/api/parcels'))).toBe(404)
  // A matching Host header proves nothing: anyone can point a name at this machine.
  expect(await readUpgradeStatus(url, { origin: 'http://evil.test', headers: { host: 'evil.test' } })).toBe(
    403,
  )
  await openSocket(url, { origin: PUBLIC_URL })
})

test('compression is never negotiated', async () => {
  const { url } = await serve()
  const { socket } = await openSocket(url, { perMessageDeflate: true })
  expect(socket.extensions).toBe('')
})

test('one caller never exceeds the socket limit, whatever address the caller claims', async () => {
  const { url, sockets } = await serve({ maxSocketsPerCaller: 3 })
  const held = [await openSocket(url), await openSocket(url), await openSocket(url)]
  for (let each = 0; each < 20; each++) {
    expect(await readUpgradeStatus(url, { headers: { 'x-forwarded-for': `10.0.0.${each}` } })).toBe(429)
  }
  const elsewhere = await openSocket(url, { localAddress: '127.0.0.2' })
  expect(sockets.count()).toBe(4)
  held[0]!.socket.close()
  await waitFor('one to leave', () => sockets.count() === 3)
  await openSocket(url)
  elsewhere.socket.close()
})

test('a full server refuses sockets and accepts again when one closes', async () => {
  const { url, sockets } = await serve({ maxSockets: 2 })
  const [first] = [await openSocket(url), await openSocket(url)]
  expect(await readUpgradeStatus(url)).toBe(503)
  first.socket.close()
  await waitFor('somebody to leave', () => sockets.count() === 1)
  await openSocket(url)
})

test('a socket that vanishes without a close is removed', async () => {
  const { url, sockets } = await serve({ pingEveryMs: 500 })
  const [mute, alive] = [await openSocket(url, { autoPong: false }), await openSocket(url)]
  let pings = 0
  alive.socket.on('ping', () => (pings += 1))
  expect(await mute.closed).toBe(1006)
  await waitFor('it to be forgotten', () => sockets.count() === 1)
  const before = pings
  await waitFor('two more pings', () => pings >= before + 2)
  expect(alive.socket.readyState).toBe(alive.socket.OPEN)
})

test('sockets that move are closed with 1001 a few at a time, and none is accepted meanwhile', async () => {
  const { url, sockets } = await serve()
  const clients = await Promise.all(Array.from({ length: 20 }, () => openSocket(url)))
  const codes: number[] = []
  const openAfter: number[] = []
  const record = async ({ closed }: { closed: Promise<number> }) => {
    codes.push(await closed)
    openAfter.push(sockets.count())
  }
  for (const each of clients) void record(each)
  const moving = sockets.move(500)
  expect(await readUpgradeStatus(url)).toBe(503)
  await moving
  await waitFor('all to be gone', () => codes.length === 20)
  expect(new Set(codes)).toEqual(new Set([1001]))
  // Two of them in each of ten steps.
  expect(new Set(openAfter).size).toBeGreaterThanOrEqual(4)
  await sockets.move(0)
})

test('a server that stops closes with 1001, terminates unresponsive sockets, and accepts none', async () => {
  const { url, sockets, server } = await serve()
  const [polite, deaf] = [await openSocket(url), await openSocket(url)]
  deaf.socket.pause()
  const closing = sockets.close()
  expect(await polite.closed).toBe(1001)
  expect(await readUpgradeStatus(url)).toBe(503)
  await closing
  await waitFor('all to be gone', () => sockets.count() === 0)
  expect(server.listening).toBe(true)
})
