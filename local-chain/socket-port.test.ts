import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPairSigner } from '@solana/kit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { startLocalChain, type LocalChain } from './run-local-chain.ts'

let dir: string
const running: LocalChain[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'local-chain-'))
})

afterEach(async () => {
  await Promise.all(running.splice(0).map((chain) => chain.stop()))
  rmSync(dir, { recursive: true })
})

/** A free port whose next port is free too. */
async function freePair(): Promise<number> {
  for (;;) {
    const port = await findFreePort()
    if (port === 65_535) continue
    const next = await occupyPort(port + 1).catch(() => undefined)
    if (!next) continue
    await new Promise((resolve) => next.close(resolve))
    return port
  }
}

function occupyPort(port: number): Promise<Server> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

async function start(port: number): Promise<{ chain: LocalChain; logged: string[] }> {
  const logged: string[] = []
  const log = (message: string) => void logged.push(message)
  const chain = await startLocalChain({
    dir: mkdtempSync(join(dir, 'of-')),
    port,
    slotMs: 10,
    finalDepth: 3,
    log,
  })
  running.push(chain)
  return { chain, logged }
}

type Notification = { method?: string; params: { result: { value: unknown } } }

/** Waits over a socket until a transaction is final, as wallets and `confirmTransaction` do. */
async function confirmOver(socketPort: number, url: string): Promise<unknown> {
  const owner = (await generateKeyPairSigner()).address
  const ask = { jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [owner, 1_000_000] }
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(ask) })
  const { result } = (await answer.json()) as { result: string }
  const socket = new WebSocket(`ws://127.0.0.1:${socketPort}`)
  const subscribe = JSON.stringify({ ...ask, method: 'signatureSubscribe', params: [result] })
  socket.addEventListener('open', () => socket.send(subscribe))
  try {
    return await new Promise((resolve, reject) => {
      socket.addEventListener('error', reject)
      socket.addEventListener('message', ({ data }) => {
        const { method, params } = JSON.parse(String(data)) as Notification
        if (method === 'signatureNotification') resolve(params.result.value)
      })
    })
  } finally {
    socket.close()
  }
}

test('the WebSocket is on the port after the RPC port, as Solana’s tools expect, and on the RPC port', async () => {
  const port = await freePair()
  const { chain, logged } = await start(port)
  expect(await confirmOver(port + 1, chain.url)).toEqual({ err: null })
  expect(await confirmOver(port, chain.url)).toEqual({ err: null })
  expect((await fetch(`http://127.0.0.1:${port + 1}`)).status).toBe(426)
  expect(logged).toEqual([])
})

test('if another program uses the next port, a warning is logged', async () => {
  const port = await freePair()
  const other = await occupyPort(port + 1)
  try {
    const { chain, logged } = await start(port)
    expect(logged).toEqual([
      `The WebSocket of the local chain is on its RPC port only: port ${port + 1}, where Solana's tools look for it, cannot be used`,
    ])
    expect(await confirmOver(port, chain.url)).toEqual({ err: null })
  } finally {
    other.close()
  }
})
