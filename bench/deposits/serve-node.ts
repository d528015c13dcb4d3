// A Solana node for the deposits suite. It answers from memory, in the format and about the time of a node elsewhere, and
// counts what it is asked.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { AMOUNT_SLICE } from '#server/chain/token-accounts.ts'
import { accountOf, DEPOSIT, isOpen, numberOf, ownerOf } from './fill-addresses.ts'
import {
  encodeMint,
  encodeToken,
  MINT,
  numberOfSignature,
  signatureOf,
  transactionOf,
} from './node-answers.ts'

/** Deposits that arrive now, by the number of their address. Each question is answered with a report. */
export type NodeQuestion = { plant: number[] }

export type NodeReport = {
  /** Calls of `getMultipleAccounts`, and of all methods. */
  balanceCalls: number
  calls: number
  /** The most calls that arrived within one second. */
  highestPerSecond: number
  /** The same when every address had been asked for, and the time since the first of these calls; null before. */
  pass: { balanceCalls: number; tookMs: number } | null
}

const LATENCY_MS = { least: 80, most: 220 }
const GENESIS = 'BenchBenchBenchBenchBenchBenchBenchBenchBen'

const accounts = Number(process.env.BENCH_ACCOUNTS)
const planted = new Set<string>()
const startedMs = performance.now()
const report: NodeReport = { balanceCalls: 0, calls: 0, highestPerSecond: 0, pass: null }
const seen = new Uint8Array(accounts + 1)
let seenCount = 0
let firstMs = 0
let recent: number[] = []

const slotNow = () => 1_000_000 + Math.floor((performance.now() - startedMs) / 400)

/** What the watcher asks for: the first bytes of a token account. */
const tokenData = (amount: bigint) => [encodeToken(amount, AMOUNT_SLICE.length), 'base64']

/** What an account holds: the deposit if it was not swept, and a deposit that the suite has planted. */
const amountIn = (account: string): bigint =>
  (isOpen(numberOf(account), accounts) ? DEPOSIT : 0n) + (planted.has(account) ? DEPOSIT : 0n)

const empty = {
  data: tokenData(0n),
  executable: false,
  lamports: 2_039_280,
  owner: TOKEN_PROGRAM_ADDRESS,
  rentEpoch: 0,
  space: 165,
}

function readAccounts(asked: readonly string[]): unknown {
  if (report.balanceCalls++ === 0) firstMs = performance.now()
  for (const account of asked) {
    const number = numberOf(account)
    if (seen[number] === 0) seenCount += seen[number] = 1
  }
  if (seenCount === accounts)
    report.pass ??= { balanceCalls: report.balanceCalls, tookMs: performance.now() - firstMs }
  return asked.map((account) => {
    const amount = amountIn(account)
    return amount === 0n ? empty : { ...empty, data: tokenData(amount) }
  })
}

const inContext = (value: unknown) => ({ context: { slot: slotNow() }, value })

function answer(method: string, [first, options]: [unknown, { before?: string; until?: string }?]): unknown {
  if (method === 'getGenesisHash') return GENESIS
  if (method === 'getSlot' || method === 'getBlockHeight') return slotNow()
  if (method === 'getMultipleAccounts') return inContext(readAccounts(first as string[]))
  if (method === 'getAccountInfo')
    return inContext(first === MINT ? { ...empty, data: [encodeMint(), 'base64'], space: 82 } : null)
  if (method === 'getSignaturesForAddress') {
    const account = String(first)
    if (!planted.has(account) || options?.before || options?.until) return []
    const item = { signature: signatureOf(numberOf(account)), slot: 1_000_000, err: null, memo: null }
    return [{ ...item, blockTime: 1_790_000_000, confirmationStatus: 'finalized' }]
  }
  if (method === 'getTransaction') {
    const signature = String(first)
    const number = numberOfSignature(signature)
    return transactionOf({ account: accountOf(number), owner: ownerOf(number), signature }, DEPOSIT)
  }
  if (method === 'getTokenAccountsByOwner') return inContext([])
  throw new Error(`The node does not know ${method}`)
}

function count(): void {
  const now = performance.now()
  recent = [...recent.filter((each) => each > now - 1_000), now]
  report.calls += 1
  report.highestPerSecond = Math.max(report.highestPerSecond, recent.length)
}

const server = createServer(async (request, response) => {
  const { id, method, params = [] } = JSON.parse(await text(request))
  count()
  await sleep(LATENCY_MS.least + Math.random() * (LATENCY_MS.most - LATENCY_MS.least))
  const body = JSON.stringify({ jsonrpc: '2.0', id, result: answer(method, params) })
  response.setHeader('content-type', 'application/json').end(body)
})

process.on('message', (question: NodeQuestion) => {
  for (const number of question.plant) planted.add(accountOf(number))
  process.send?.(report)
})
process.once('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
