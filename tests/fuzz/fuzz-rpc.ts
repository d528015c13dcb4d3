import * as fc from 'fast-check'
import { WebSocket } from 'ws'
import type { FuzzReport } from './fuzz-http.ts'
import type { FuzzedGame } from './fuzzed-game.ts'
import { damagedJson, oddText, oddValue } from './json-values.ts'

const LANES = 8
const LIMIT_MS = 10_000
/** To shrink a call that is not answered takes `LIMIT_MS` for each attempt. */
const LONGEST_MS = 300_000
const INTERNAL_ERROR = -32_603

const METHODS = `
  getHealth getVersion getGenesisHash getSlot getBlockHeight getTransactionCount getEpochInfo
  getLatestBlockhash isBlockhashValid getFeeForMessage getRecentPrioritizationFees getBalance
  getAccountInfo getMultipleAccounts getMinimumBalanceForRentExemption getTokenAccountBalance
  getTokenSupply getTokenAccountsByOwner sendTransaction simulateTransaction getSignatureStatuses
  getSignaturesForAddress getTransaction cottonMint cottonFaucet requestAirdrop slotSubscribe
  signatureSubscribe accountSubscribe slotUnsubscribe accountUnsubscribe ping __proto__ constructor
  toString hasOwnProperty
`
  .trim()
  .split(/\s+/)

/** An account whose balance the requests change, so that subscriptions to it have something to send. */
const RICH = 'CottonFuzzCottonFuzzCottonFuzzCottonFuzz111'
const ADDRESSES = [
  RICH,
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'So11111111111111111111111111111111111111112',
]

const oddNumber = fc.constantFrom<unknown>(0, -1, 0.5, 1e308, 2 ** 53, 2 ** 64, '1', null, 1e-300, -0.5, [1])

const config = fc.record(
  {
    commitment: fc.oneof(fc.constantFrom<unknown>('processed', 'confirmed', 'finalized'), oddValue),
    encoding: fc.oneof(
      fc.constantFrom<unknown>('base58', 'base64', 'jsonParsed', 'base64+zstd', 'json'),
      oddValue,
    ),
    dataSlice: fc.oneof(fc.record({ offset: oddNumber, length: oddNumber }), oddValue),
    minContextSlot: fc.oneof(oddNumber, oddValue),
    limit: oddNumber,
    before: oddText,
    until: oddText,
    mint: fc.constantFrom(...ADDRESSES),
    programId: fc.oneof(fc.constantFrom<unknown>(...ADDRESSES), oddValue),
    searchTransactionHistory: oddValue,
    maxSupportedTransactionVersion: oddNumber,
    accounts: fc.oneof(
      fc.record({ addresses: fc.array(fc.constantFrom(...ADDRESSES)), encoding: oddText }),
      oddValue,
    ),
    skipPreflight: fc.boolean(),
    sigVerify: fc.boolean(),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const parameter: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...ADDRESSES) },
  { weight: 4, arbitrary: config },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...ADDRESSES), { maxLength: 120 }) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>('1'.repeat(64), 1, 1_000_000, '1000000', 'AQ==', '') },
  { weight: 1, arbitrary: fc.base64String({ maxLength: 2_000 }) },
  { weight: 1, arbitrary: oddValue },
)

/** Nested so deep that a program which calls itself for each level has no stack left. */
const TOO_DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`

const call = fc.record(
  {
    jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '1.0', null),
    id: fc.oneof(fc.nat(), oddValue),
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom<unknown>(...METHODS) },
      { weight: 1, arbitrary: oddValue },
    ),
    params: fc.oneof(
      { weight: 12, arbitrary: fc.array(parameter, { maxLength: 4 }) },
      { weight: 3, arbitrary: fc.tuple(fc.constant(RICH), config) },
      { weight: 1, arbitrary: oddValue },
    ),
  },
  { noNullPrototype: true },
)

const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 60, arbitrary: damagedJson(call) },
  {
    weight: 10,
    arbitrary: fc.constant(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [RICH, 10_000_000] }),
    ),
  },
  { weight: 5, arbitrary: damagedJson(fc.array(call, { maxLength: 20 })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('id', 'params', 'method')
      .map((name) => `{"jsonrpc":"2.0","method":"ping","id":1,"${name}":${TOO_DEEP}}`),
  },
)

/** What is wrong with one response object of JSON-RPC; null if nothing is. */
function findRpcFault(answer: unknown): string | null {
  const { jsonrpc, error, ...rest } = (answer ?? {}) as Record<string, unknown>
  if (jsonrpc !== '2.0') return `no response of JSON-RPC: ${JSON.stringify(answer).slice(0, 200)}`
  if (error === undefined)
    return 'result' in rest || 'method' in rest ? null : 'neither a result nor an error'
  const { code, message } = error as Record<string, unknown>
  if (!Number.isInteger(code) || typeof message !== 'string')
    return `an error without code: ${JSON.stringify(error)}`
  return code === INTERNAL_ERROR && !message.startsWith('The faucet failed') ? 'an internal error' : null
}

async function askByHttp(url: string, text: string): Promise<string | null> {
  const answer = await fetch(url, {
    method: 'POST',
    body: Buffer.from(text, 'latin1'),
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  const body = await answer.text()
  if (answer.status !== 200) return answer.status === 413 ? null : `status ${answer.status}`
  const read: unknown = JSON.parse(body)
  const all: unknown[] = Array.isArray(read) ? read : [read]
  return all.map(findRpcFault).find((fault) => fault !== null) ?? null
}

const LAST = 'the last call'

/** Sends texts over one WebSocket, and then a call that must be answered. */
function askBySocket(url: string, sent: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false })
    let fault: string | null = null
    const end = (why: string | null) => {
      clearTimeout(timer)
      socket.terminate()
      resolve(why)
    }
    const timer = setTimeout(() => end('no answer'), LIMIT_MS)
    socket.on('open', () => {
      for (const text of sent) socket.send(Buffer.from(text, 'latin1'), { binary: false })
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: LAST, method: 'ping' }))
    })
    socket.on('message', (data) => {
      const answer = JSON.parse(String(data)) as { id?: unknown }
      fault ??= findRpcFault(answer)
      if (answer.id === LAST) end(fault)
    })
    socket.on('error', () => {})
    // 1007: the text was not UTF-8. 1009: it was too large.
    socket.on('close', (code) => end([1007, 1009].includes(code) ? fault : `closed with ${code}`))
  })
}

/** Sends calls, right and wrong, to the local chain: over HTTP, and over WebSockets. */
export async function fuzzRpc(
  game: FuzzedGame,
  { calls, seed }: { calls: number; seed: number },
): Promise<FuzzReport> {
  const counts = { http: 0, socket: 0 }
  const findings: string[] = []
  const check = async (name: string, property: fc.IAsyncPropertyWithHooks<[string[]]>, lane: number) => {
    const options = {
      seed: seed * 100 + lane,
      numRuns: Math.ceil(calls / LANES / 10),
      interruptAfterTimeLimit: LONGEST_MS,
    }
    const { counterexample, errorInstance } = await fc.check(property, options)
    if (counterexample)
      findings.push(
        `${name}: ${(errorInstance as Error).message}\n  ${JSON.stringify(counterexample[0]).slice(0, 2_000)}`,
      )
  }
  const some = fc.array(texts, { minLength: 1, maxLength: 20 })
  const overHttp = fc.asyncProperty(some, async (sent) => {
    counts.http += sent.length
    for (const text of sent) {
      const fault = await askByHttp(game.rpcUrl, text).catch(String)
      if (fault !== null) throw new Error(fault)
    }
  })
  const overSocket = fc.asyncProperty(some, async (sent) => {
    counts.socket += sent.length
    const fault = await askBySocket(game.rpcUrl, sent)
    if (fault !== null) throw new Error(fault)
  })
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    lane % 2 ? check('HTTP', overHttp, lane) : check('WebSocket', overSocket, lane),
  )
  await Promise.all(lanes)
  if (game.exit() !== null) return { name: 'rpc', counts, findings: [...findings, game.exit()!] }
  const { problems } = await game.measure()
  return { name: 'rpc', counts, findings: [...findings, ...problems.map((line) => `logged: ${line}`)] }
}
