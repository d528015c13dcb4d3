import { expect, test } from 'vitest'
import { readFileLimit } from '#server/platform/read-file-limit.ts'
import { startFuzzedGame } from '#tests/fuzz/fuzzed-game.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { CLIENT_KINDS, HostileClients } from './hostile-clients.ts'
import { HonestPlayers } from './honest-players.ts'

// The short form of `npm run test:clients`: it counts, and measures no times.

const EACH = 60

/** The status with which the server ends a connection of each kind. */
const REFUSED: Readonly<Record<string, number>> = {
  silent: 408,
  'slow headers': 408,
  'slow body': 408,
  'half-open': 400,
  'body of 100 MB': 413,
  'endless chunks': 413,
  'compressed body': 400,
  'many headers': 431,
}

test('clients that cost much and give nothing are cut off or bounded, and players are answered meanwhile', async () => {
  const game = await startFuzzedGame({ limited: true })
  const players = new HonestPlayers(game.url, 4)
  const all = CLIENT_KINDS.map((kind) => new HostileClients(kind, game.url))
  try {
    const clientsOf = (name: string) => all[CLIENT_KINDS.findIndex((kind) => kind.name === name)]!
    // Each kind has an address of its own.
    for (const [at, clients] of all.entries())
      await Promise.all(Array.from({ length: EACH }, () => clients.open(`127.9.9.${at + 1}`)))
    const served = players.play(12_000)
    const isBounded = () =>
      Object.keys(REFUSED).every((name) => clientsOf(name).openCount === 0) &&
      clientsOf('socket messages').openCount === 0
    await waitFor('the server to cut them off', isBounded)
    for (const [name, status] of Object.entries(REFUSED))
      expect([name, Object.keys(clientsOf(name).counts.statuses)]).toEqual([name, [String(status)]])
    expect(clientsOf('sockets').openCount).toBe(50)
    expect(clientsOf('sockets').counts.statuses).toEqual({ 101: 50, 429: EACH - 50 })
    // Fifty each that read and that do not read their WebSocket, those that do not read an answer, and the players.
    expect((await game.measure()).connections).toBeLessThanOrEqual(50 + 50 + EACH + 4 * 2)
    const { tookMs, failures } = await served
    expect(failures).toEqual([])
    expect(tookMs.length).toBeGreaterThan(20)
    expect((await game.measure()).problems).toEqual([])
  } finally {
    players.stop()
    for (const clients of all) clients.stop()
    await game.stop()
  }
})

test('one address opens five hundred connections, and no more', { tags: 'variant' }, async () => {
  const game = await startFuzzedGame({ limited: true })
  const clients = new HostileClients(CLIENT_KINDS[0]!, game.url)
  try {
    await Promise.all(Array.from({ length: 540 }, () => clients.open('127.9.9.9')))
    // Those beyond the limit are closed without an answer. The others are answered once they were silent for too long.
    await waitFor('all connections to be closed', () => clients.openCount === 0)
    expect(clients.counts.closed).toBe(540)
    expect(clients.counts.statuses).toEqual({ 408: Math.min(500, Math.floor(readFileLimit() / 4)) })
  } finally {
    clients.stop()
    await game.stop()
  }
})
