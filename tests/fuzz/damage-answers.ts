import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import type { TokenRow } from '#local-chain/token-rows.ts'
import { inflateTransfer } from '#tests/support/inflate-transfer.ts'
import { oddValue } from './json-values.ts'

/** A change of one place of an answer: which of its values, and what it becomes. Undefined: it is left out. */
export type Damage = { at: number; to: unknown }

/** A transfer of a larger amount, in an answer that does not contradict itself. */
export type Lie = { by: bigint }

/** A call as the node counts it: its number since the damage was set, from 0. */
export type RpcCall = { method: string; number: number }

export type HostileNode = {
  url: string
  /** Chooses the damage of each answer; null: the answer of the honest node as it is. */
  damageOf: (call: RpcCall) => Damage | Lie | null
  /** How many answers were damaged. */
  damaged: number
  close(): void
}

const HONEST = () => null

/** A node that passes on what an honest one answers, with one value changed in the answers that a test chooses. */
export async function startHostileNode(honestUrl: string): Promise<HostileNode> {
  const server = createServer()
  let chosenBy = HONEST as HostileNode['damageOf']
  let calls = 0
  const node: HostileNode = {
    url: '',
    get damageOf() {
      return chosenBy
    },
    set damageOf(choose) {
      chosenBy = choose
      calls = 0
    },
    damaged: 0,
    close: () => server.close(),
  }
  server.on('request', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { method } = JSON.parse(body.toString()) as { method: string }
    // Chosen before the answer is there, because the next case may begin meanwhile.
    const damage = node.damageOf({ method, number: calls++ })
    const text = await (await fetch(honestUrl, { method: 'POST', body })).text()
    response.setHeader('content-type', 'application/json')
    if (damage === null) return response.end(text)
    node.damaged += 1
    return response.end(writeDamaged(text, damage))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return node
}

const writeDamaged = (text: string, damage: Damage | Lie): string => {
  const answer = JSON.parse(text) as { result?: unknown }
  if ('by' in damage) return JSON.stringify({ ...answer, result: inflate(answer.result, damage.by) })
  const { at, to } = damage
  const places = placesIn(answer.result)
  return JSON.stringify({ ...answer, result: replaceAt(answer.result, places[at % places.length]!, to) })
}

type Transaction = { meta: { preTokenBalances: TokenRow[]; postTokenBalances: TokenRow[] } }

/** A transaction with a larger transfer. Other answers stay as they are. */
function inflate(result: unknown, by: bigint): unknown {
  const { meta } = (result ?? {}) as Partial<Transaction>
  const mint = meta?.postTokenBalances?.[0]?.mint
  if (meta === undefined || mint === undefined) return result
  const rows = { before: meta.preTokenBalances, after: meta.postTokenBalances }
  const { before, after } = inflateTransfer(rows, { mint, by })
  return { ...(result as object), meta: { ...meta, preTokenBalances: before, postTokenBalances: after } }
}

/** Every place of a value, as the path to it. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [path]
  return [path, ...Object.entries(value).flatMap(([name, each]) => placesIn(each, [...path, name]))]
}

function replaceAt(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to
  if (Array.isArray(value))
    return value.map((each, at) => (String(at) === name ? replaceAt(each, rest, to) : each))
  const entries = Object.entries(value as object)
  return Object.fromEntries(
    entries.map(([key, each]) => [key, key === name ? replaceAt(each, rest, to) : each]),
  )
}

/** Values that are wrong, and yet of the kind that a node answers in some place. */
const plausible = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 12n }).map(String),
  fc.nat({ max: 12 }),
  fc.integer({ min: 0, max: 2_000_000_000 }),
  fc.constantFrom('finalized', 'confirmed', 'processed', '0', '1', '1000000', '18446744073709551615'),
  fc.constantFrom(
    '11111111111111111111111111111111',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    '1'.repeat(64),
  ),
  fc.constantFrom<unknown>({ InstructionError: [0, { Custom: 1 }] }, { Ok: null }),
)

/** Where an answer is damaged, and by what. */
export const damages: fc.Arbitrary<Damage> = fc.record(
  {
    at: fc.nat({ max: 500 }),
    to: fc.oneof(oddValue, fc.constant(undefined), { weight: 2, arbitrary: plausible }),
  },
  { noNullPrototype: true },
)
