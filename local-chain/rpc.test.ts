import { once } from 'node:events'
import { request } from 'node:http'
import { zstdDecompressSync } from 'node:zlib'
import {
  assertIsSendableTransaction,
  assertIsTransactionWithBlockhashLifetime,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  sendAndConfirmTransactionFactory,
  type KeyPairSigner,
} from '@solana/kit'
import { getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket as PausableSocket } from 'ws'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { startTestChain, type TestChain } from './test-chain.ts'

let world: TestChain
let wallet: KeyPairSigner

beforeAll(async () => {
  world = await startTestChain()
  wallet = await world.wallet(1_000n)
})
afterAll(() => world.stop())

type Answer = { result?: unknown; error?: { code: number; message: string } }

async function ask(method: string, ...params: unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await (await fetch(world.url, { method: 'POST', body })).json()) as Answer
}

async function payment(lamports = 1_000_000n, price = 0n) {
  const to = (await generateKeyPairSigner()).address
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const signed = await signWithBlockhash(wallet, lifetime, [
    getSetComputeUnitPriceInstruction({ microLamports: price }),
    getTransferSolInstruction({ source: wallet, destination: to, amount: lamports }),
  ])
  return { ...signed, lifetime, bytes: Buffer.from(signed.wire, 'base64'), to }
}

const changed = (bytes: Buffer, at: number, to: number) => {
  const copy = Buffer.from(bytes)
  copy[at] = to
  return copy
}

/** A small number encoded in two bytes although one is enough. */
const overlong = (bytes: Buffer, at: number) =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from([bytes[at]! | 0x80, 0]), bytes.subarray(at + 1)])

test('malformed bytes are refused with a code, with and without preflight, and never crash the chain', async () => {
  const { bytes } = await payment()
  const headerAt = 1 + 64 + 1
  const cases: [name: string, wire: Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['cut off', bytes.subarray(0, 100)],
    ['trailing bytes', Buffer.concat([bytes, Buffer.from([1, 2, 3])])],
    ['too large', Buffer.concat([bytes, Buffer.alloc(2000)])],
    ['version 1', changed(bytes, headerAt - 1, 0x81)],
    ['version 127', changed(bytes, headerAt - 1, 0xff)],
    ['no signers', changed(bytes, headerAt, 0)],
    ['more signers than keys', changed(bytes, headerAt, 200)],
    ['only readonly signers', changed(bytes, headerAt + 1, 1)],
    ['an unterminated number of keys', changed(bytes, headerAt + 3, 0xff)],
    ['no signatures', changed(bytes, 0, 0)],
    ['an overlong number of signatures', overlong(bytes, 0)],
    ['an overlong number of keys', overlong(bytes, headerAt + 3)],
  ]
  for (const [name, wire] of cases)
    for (const skipPreflight of [false, true, true]) {
      const config = { encoding: 'base64', skipPreflight }
      const { error } = await ask('sendTransaction', wire.toString('base64'), config)
      expect([name, error?.code]).toEqual([name, -32602])
    }
  expect(await ask('getHealth')).toMatchObject({ result: 'ok' })
})

test('randomly changed bytes never crash the chain', async () => {
  const { bytes } = await payment()
  let state = 42
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % below
  }
  for (let i = 0; i < 100; i++) {
    const wire = changed(
      changed(bytes, 65 + random(bytes.length - 65), random(256)),
      random(bytes.length),
      random(256),
    )
    const config = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true }
    await ask('simulateTransaction', wire.toString('base64'), config)
    await ask('sendTransaction', wire.toString('base64'), { encoding: 'base64', skipPreflight: true })
  }
  expect(await ask('getHealth')).toMatchObject({ result: 'ok' })
})

test('errors have the codes of a real node', async () => {
  const good = await payment()
  const forged = changed(good.bytes, 5, good.bytes[5]! ^ 1).toString('base64')
  expect((await ask('sendTransaction', forged, { encoding: 'base64' })).error?.code).toBe(-32003)
  const simulated = await ask('simulateTransaction', good.wire, { encoding: 'base64', sigVerify: true })
  expect(simulated.result).toMatchObject({ value: { err: null } })
  const poor = await payment(10n ** 15n)
  const preflight = await ask('sendTransaction', poor.wire, { encoding: 'base64' })
  expect(preflight.error).toMatchObject({
    code: -32002,
    message: 'Transaction simulation failed: Error processing Instruction 1: custom program error: 0x1',
    data: { err: { InstructionError: [1, { Custom: 1 }] } },
  })
  await world.chain.send(good.wire)
  await world.until(good.signature, 'finalized')
  expect((await ask('getTransaction', good.signature, { encoding: 'json' })).error?.code).toBe(-32015)
  expect((await ask('getTransaction', good.signature, { commitment: 'processed' })).error?.code).toBe(-32602)
  expect((await ask('getSignaturesForAddress', wallet.address, { limit: 1001 })).error?.code).toBe(-32602)
  expect((await ask('getBalance', 'not an address')).error?.code).toBe(-32602)
  expect((await ask('getSlot', { minContextSlot: 10 ** 12 })).error?.code).toBe(-32016)
  expect((await ask('constructor')).error?.code).toBe(-32601)
})

test('the fee that a transaction shows is the fee that was charged', async () => {
  for (const [lamports, price, failed] of [
    [5n, 0n, false],
    [7n, 1_000_003n, false],
    [10n ** 15n, 500_000n, true],
  ] as const) {
    const before = await world.chain.lamports(wallet.address, 'finalized')
    const one = await payment(lamports === 5n || lamports === 7n ? lamports * 1_000_000n : lamports, price)
    await world.chain.send(one.wire, { skipPreflight: true })
    await world.until(one.signature, 'finalized')
    const spent = before - (await world.chain.lamports(wallet.address, 'finalized'))
    const arrived = await world.chain.lamports(one.to, 'finalized')
    const config = { encoding: 'json', maxSupportedTransactionVersion: 0 }
    const { result } = await ask('getTransaction', one.signature, config)
    expect(result).toMatchObject({ meta: { fee: Number(spent - arrived) } })
    expect((result as { meta: { err: unknown } }).meta.err !== null).toBe(failed)
  }
})

test('each airdrop and each faucet request is a real transaction', async () => {
  const owner = (await generateKeyPairSigner()).address
  const drops = await Promise.all([1, 2, 3].map(() => ask('requestAirdrop', owner, 1_000_000)))
  const gifts = await Promise.all([1, 2].map(() => ask('cottonFaucet', owner, '2500000', '1000000')))
  const signatures = [...drops.map(({ result }) => result), ...gifts.flatMap(({ result }) => result)]
  expect(new Set(signatures).size).toBe(5)
  for (const signature of signatures) await world.until(signature as never, 'finalized')
  expect(await world.chain.lamports(owner, 'finalized')).toBe(5_000_000n)
  expect(await world.chain.tokenBalance(await world.chain.tokenAccountOf(owner), 'finalized')).toBe(
    5_000_000n,
  )
  const { result } = await ask(
    'getTokenAccountsByOwner',
    owner,
    { mint: world.mint },
    { encoding: 'jsonParsed' },
  )
  const info = { mint: world.mint, tokenAmount: { amount: '5000000', uiAmountString: '5' } }
  expect(result).toMatchObject({ value: [{ account: { data: { parsed: { info } } } }] })
})

test('sendAndConfirm of @solana/kit works over HTTP and WebSocket', async () => {
  const rpcSubscriptions = createSolanaRpcSubscriptions(world.url.replace('http', 'ws'))
  const sendAndConfirm = sendAndConfirmTransactionFactory({
    rpc: createSolanaRpc(world.url),
    rpcSubscriptions,
  })
  for (const commitment of ['processed', 'confirmed', 'finalized'] as const) {
    const { bytes, lifetime, signature, wire } = await payment()
    const transaction = { ...getTransactionDecoder().decode(bytes), lifetimeConstraint: lifetime }
    assertIsSendableTransaction(transaction)
    assertIsTransactionWithBlockhashLifetime(transaction)
    expect(getBase64EncodedWireTransaction(transaction)).toBe(wire)
    await sendAndConfirm(transaction, { commitment })
    expect(await world.chain.statuses([signature])).toMatchObject([{ failed: false }])
  }
})

test('an account subscription reports each change once', async () => {
  const owner = (await generateKeyPairSigner()).address
  const abort = new AbortController()
  const notifications = await createSolanaRpcSubscriptions(world.url.replace('http', 'ws'))
    .accountNotifications(owner, { commitment: 'confirmed', encoding: 'base64' })
    .subscribe({ abortSignal: abort.signal })
  const seen: bigint[] = []
  const reading = (async () => {
    for await (const { value } of notifications) {
      seen.push(value.lamports)
      if (seen.length === 2) abort.abort()
    }
  })()
  await world.give(owner, { lamports: 2_000_000n })
  await world.give(owner, { lamports: 3_000_000n })
  await reading
  expect(seen).toEqual([2_000_000n, 5_000_000n])
})

test('an account comes compressed for base64+zstd, which Solana’s command line tools ask for', async () => {
  const account = await world.chain.tokenAccountOf(wallet.address)
  const dataIn = async (encoding: string) => {
    const { result } = await ask('getAccountInfo', account, { encoding })
    return (result as { value: { data: [data: string, encoding: string] } }).value.data
  }
  const [plain] = await dataIn('base64')
  const [packed, encoding] = await dataIn('base64+zstd')
  expect(encoding).toBe('base64+zstd')
  expect(zstdDecompressSync(Buffer.from(packed, 'base64')).toString('base64')).toBe(plain)
})

test('pages of this machine and wallets may call; foreign pages and foreign host names may not', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"getHealth"}'
  const from = (origin: string) => fetch(world.url, { method: 'POST', body, headers: { origin } })
  const local = await from('http://localhost:3001')
  expect([local.status, local.headers.get('access-control-allow-origin')]).toEqual([
    200,
    'http://localhost:3001',
  ])
  for (const scheme of ['chrome-extension', 'moz-extension', 'safari-web-extension'])
    expect((await from(`${scheme}://bfnaelmomeimhlpmgjnjophhpkkoljpa`)).status).toBe(200)
  expect((await from('null')).status).toBe(403)
  expect((await from('https://evil.example')).status).toBe(403)
  expect((await from('http://localhost.evil.example')).status).toBe(403)
  const renamed = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: 'evil.example' }
    request(world.url, { method: 'POST', headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end(body)
  })
  expect(renamed).toBe(403)
})

const post = (body: string) => fetch(world.url, { method: 'POST', body })

test('a body above 1 MiB is refused, broken JSON and empty batches get an error', async () => {
  const large = await post(`"${'x'.repeat(1 << 20)}"`).then(
    ({ status }) => status,
    () => 413, // the connection may close before the client has sent everything
  )
  expect(large).toBe(413)
  expect(await (await post('{')).json()).toMatchObject({ error: { code: -32700 } })
  expect(await (await post('[]')).json()).toMatchObject({ error: { code: -32600 } })
  expect(await (await post('7')).json()).toMatchObject({ error: { code: -32600 } })
  expect(await (await post('[{"jsonrpc":"2.0","id":1,"method":"getHealth"}]')).json()).toEqual([
    { jsonrpc: '2.0', result: 'ok', id: 1 },
  ])
})

test('null counts as omitted, in place of parameters and in a configuration', async () => {
  const answer = await post('{"jsonrpc":"2.0","id":1,"method":"getGenesisHash","params":null}')
  expect(await answer.json()).toMatchObject({ result: world.chain.facts.genesisHash })
  const paging = { before: null, until: null, limit: null, commitment: null, minContextSlot: null }
  for (const [method, config] of [
    ['getSignaturesForAddress', paging],
    ['getAccountInfo', { encoding: null, dataSlice: null }],
  ] as const)
    expect(await ask(method, wallet.address, config)).toHaveProperty('result')
})

test('a request that is nested too deep to be written, and a slot that is no integer, are answered like any other', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const post = async (body: string): Promise<unknown> =>
    (await fetch(world.url, { method: 'POST', body })).json()
  expect(await post(`{"jsonrpc":"2.0","method":"getHealth","id":${deep}}`)).toMatchObject({
    result: 'ok',
    id: null,
  })
  for (const minContextSlot of [0.5, 1e308, -1, '1e3'])
    expect((await ask('getBalance', wallet.address, { minContextSlot })).error?.code).toBe(-32_602)
  const socket = new WebSocket(world.url.replace('http', 'ws'))
  await once(socket, 'open')
  socket.send(`{"jsonrpc":"2.0","method":"ping","id":${deep}}`)
  socket.send(`{"jsonrpc":"2.0","method":${deep},"id":1}`)
  socket.send('{"jsonrpc":"2.0","method":"ping","id":2}')
  const answers: unknown[] = []
  socket.addEventListener('message', ({ data }) => answers.push(JSON.parse(String(data))))
  await waitFor('the answers', () => answers.length === 3)
  expect(answers).toContainEqual({ jsonrpc: '2.0', result: 'pong', id: null })
  expect(answers).toContainEqual({ jsonrpc: '2.0', result: 'pong', id: 2 })
  socket.close()
})

test('a subscription whose account cannot be written in its encoding ends, and the chain goes on', async () => {
  const owner = await world.wallet(1_000n)
  const account = await world.chain.tokenAccountOf(owner.address)
  const socket = new WebSocket(world.url.replace('http', 'ws'))
  await once(socket, 'open')
  const params = [account, { encoding: 'base58', commitment: 'confirmed' }]
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'accountSubscribe', params }))
  await once(socket, 'message')
  const closed = once(socket, 'close')
  await world.give(owner.address, { baseUnits: 5n })
  expect(await closed).toMatchObject([{ code: 1003 }])
  expect(await ask('getHealth')).toMatchObject({ result: 'ok' })
})

test('a client that asks and does not read the answers is disconnected', async () => {
  const socket = new PausableSocket(world.url.replace('http', 'ws'))
  await once(socket, 'open')
  const closed = once(socket, 'close')
  socket.pause()
  // An answer repeats the id. The kernel buffers some megabytes of these 100.
  const call = JSON.stringify({ jsonrpc: '2.0', method: 'getHealth', id: 'a'.repeat(100_000) })
  for (let i = 0; i < 1_000; i++) socket.send(call, () => undefined)
  let answers = 0
  socket.on('message', () => (answers += 1))
  socket.on('error', () => undefined)
  await new Promise((done) => setTimeout(done, 500))
  socket.resume()
  expect((await closed)[0]).toBe(1006)
  expect(answers).toBeLessThan(500)
  expect(await ask('getHealth')).toMatchObject({ result: 'ok' })
})
