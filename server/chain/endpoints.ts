import {
  createDefaultRpcTransport,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type RpcTransport,
} from '@solana/kit'
import { ChainUnavailable, WrongChain } from './port.ts'

/** What a node answers that has fallen behind (Solana: `NodeUnhealthy`). */
const NODE_UNHEALTHY = -32_005

type Request = Parameters<RpcTransport>[0]
type Answer = { error?: { code?: unknown } } | null

/** One node. Its genesis hash is asked for before anything else, so that no answer comes from another chain. */
type Endpoint = { host: string; transport: RpcTransport; genesisHash: string | null }

/**
 * One transport over several nodes: the one that answered last is asked; when it cannot be reached, does not answer in
 * time, has fallen behind or belongs to another chain than the first that answered, the next takes its place. An answer
 * with any other error is an answer. Rejects with `ChainUnavailable` when none answers.
 */
export function failOver(
  urls: readonly string[],
  timeoutMs: number,
): {
  transport: RpcTransport
  /** Rejects with `WrongChain` when two nodes belong to different chains; one that does not answer is left out. */
  checkChains(): Promise<void>
} {
  const endpoints = urls.map((url): Endpoint => {
    // Keys of providers stand in paths and queries: only the host may reach a log.
    return { host: new URL(url).host, transport: createDefaultRpcTransport({ url }), genesisHash: null }
  })
  let current = 0
  let genesisHash: string | null = null

  const isOnOurChain = async (endpoint: Endpoint, signal: AbortSignal) => {
    if (endpoint.genesisHash === null) endpoint.genesisHash = await askGenesisHash(endpoint.transport, signal)
    genesisHash ??= endpoint.genesisHash
    return endpoint.genesisHash === genesisHash
  }

  const ask = async (endpoint: Endpoint, request: Request) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout])
    if (!(await isOnOurChain(endpoint, signal))) throw new Error('it is on another chain')
    const answer = await endpoint.transport<Answer>({ ...request, signal })
    if (Number(answer?.error?.code) === NODE_UNHEALTHY) throw new Error('it is behind the chain')
    return answer
  }

  const transport = async (request: Request) => {
    const failures: string[] = []
    for (let tries = 0; tries < endpoints.length; tries++) {
      const asked = current
      const endpoint = endpoints[asked]!
      try {
        return await ask(endpoint, request)
      } catch (error) {
        if (request.signal?.aborted === true) throw error
        failures.push(`${endpoint.host}: ${describe(error)}`)
        // Another request may have moved on already.
        if (current === asked) current = (asked + 1) % endpoints.length
      }
    }
    throw new ChainUnavailable(`No Solana node answers (${failures.join('; ')})`)
  }

  const checkChain = async (endpoint: Endpoint) => {
    const ours = await isOnOurChain(endpoint, AbortSignal.timeout(timeoutMs)).catch(() => true)
    if (!ours) throw new WrongChain(`SOLANA_RPC_URL mixes chains: ${endpoint.host} is on another one.`)
  }
  return {
    transport: transport as RpcTransport,
    checkChains: async () => void (await Promise.all(endpoints.map(checkChain))),
  }
}

async function askGenesisHash(transport: RpcTransport, signal: AbortSignal): Promise<string> {
  const payload = { jsonrpc: '2.0', id: 'genesis', method: 'getGenesisHash', params: [] }
  const { result } = await transport<{ result?: unknown }>({ payload, signal })
  if (typeof result !== 'string') throw new Error('it does not tell its genesis hash')
  return result
}

function describe(error: unknown): string {
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return `HTTP ${error.context.statusCode}`
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time'
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}
