import {
  createDefaultRpcTransport,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type RpcTransport,
} from '@solana/kit'
import { measure } from '#server/platform/measure.ts'
import { splitCredentials } from './node-url.ts'
import { type Pace, paceOf, type Rate } from './pace.ts'
import { ChainUnavailable, UnknownTransaction, WrongChain } from './port.ts'

/**
 * Error codes of a node that cannot answer now, while another may: it is behind (-32005), has not reached a slot (-32016,
 * -32004, -32014), does not store the history (-32010, -32011), cannot search its long-term storage (-32019), does not know
 * the cursor of a history (-32020), is overloaded (-32429) or broken (-32603).
 */
const RETRYABLE_CODES = new Set([
  -32_005, -32_016, -32_004, -32_014, -32_010, -32_011, -32_019, -32_020, -32_429, -32_603,
])
const UNKNOWN_TRANSACTION = -32_020
/** The transaction has a newer version than was asked for. The node knows it, and another one may not. */
const UNSUPPORTED_VERSION = -32_015

/** A failed node is skipped for one second, then for twice as long after each failure, up to a minute. */
const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60_000

/** A node whose answers show no newer slot for this long is stuck. A healthy chain has a hundred in that time. */
const STUCK_AFTER_MS = 60_000

/** A node that shows an older slot than this was started again, or had named a slot that does not exist yet. */
const FURTHEST_BACK_SLOTS = 9_000n

/** How often the slots of three or more nodes are compared, and how far one may be behind two others: 30 to 60 s. */
const COMPARE_EVERY_MS = 60_000
const FURTHEST_BEHIND_SLOTS = 150n

type Request = Parameters<RpcTransport>[0]
type RpcResponse = { result?: unknown; error?: { code?: unknown; message?: unknown } } | null

/** A node and its recent failures. */
type Endpoint = {
  /** Only the host may be logged: paths and queries contain the keys of providers. */
  host: string
  transport: RpcTransport
  /** Null if calls are not limited. */
  pace: Pace | null
  /** Read before anything else, so that no response comes from another chain. */
  genesisHash: string | null
  failures: number
  backoffUntilMs: number
  /** The newest slot in its answers, and when it was first seen. */
  slot: bigint
  slotSinceMs: number
  isStuck: boolean
  isBehind: boolean
}

/** A change of a node's state: `why` is the reason why it is skipped, or null if it is used again. */
export type NodeStatusChange = { host: string; why: string | null; restMs: number }

type FailoverNodes = {
  /** Sends to the first available node, and to the next if that one cannot answer. */
  transport: RpcTransport
  /** A transport for each single node. */
  nodes: readonly { host: string; transport: RpcTransport }[]
  /** Rejects with `WrongChain` if two nodes belong to different chains. Nodes that do not respond are skipped. */
  checkChains(): Promise<void>
}

/**
 * One transport over several nodes, in the order of the settings. A node that is unreachable, times out, cannot answer or
 * belongs to another chain than the first that responded is skipped for a while, and the next one is used. So is one of
 * several that is stuck, or far behind two others: its answers are valid, but old. Skipped nodes are tried last. Rejects
 * with `ChainUnavailable` if no node answers.
 *
 * A node that returns any other error is not skipped, but the next one is asked, too: the first one may be behind, lie, or
 * not offer the method in its plan. If every node that answers returns an error, the first of these is the response. A node
 * may also accept a transaction and never forward it, so each send begins with another node than the one before.
 */
export function createFailover(
  urls: readonly string[],
  {
    timeoutMs,
    rate,
    onNodeChange = () => {},
  }: {
    timeoutMs: number
    /** The limit of the calls to one node, by all connections of this process together. */
    rate?: Rate | undefined
    onNodeChange?: (change: NodeStatusChange) => void
  },
): FailoverNodes {
  // In one spelling: a node that is named twice would count as two that agree.
  const distinct = new Set(urls.map((url) => new URL(url).href))
  const endpoints = [...distinct].map((url): Endpoint => {
    const transport = createDefaultRpcTransport(splitCredentials(url))
    const pace = rate === undefined ? null : paceOf(url, rate)
    const unseen = { genesisHash: null, slot: -1n, slotSinceMs: 0, isStuck: false, isBehind: false }
    return { host: new URL(url).host, transport, pace, failures: 0, backoffUntilMs: 0, ...unseen }
  })
  let genesisHash: string | null = null
  let sends = 0

  const isOnOurChain = async (endpoint: Endpoint, signal: AbortSignal) => {
    if (endpoint.genesisHash === null) endpoint.genesisHash = await askGenesisHash(endpoint.transport, signal)
    genesisHash ??= endpoint.genesisHash
    return endpoint.genesisHash === genesisHash
  }

  const ask = async (endpoint: Endpoint, request: Request) => {
    await endpoint.pace?.(request.signal)
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout])
    try {
      if (!(await isOnOurChain(endpoint, signal))) throw new Error('it is on another chain')
      const answer = await endpoint.transport<RpcResponse>({ ...request, signal })
      const code = Number(answer?.error?.code)
      if (RETRYABLE_CODES.has(code)) {
        const Failure = code === UNKNOWN_TRANSACTION ? UnknownTransaction : Error
        throw new Failure(String(answer?.error?.message))
      }
      // As of a gateway that reports its own errors in another format.
      if (answer?.result === undefined && answer?.error === undefined)
        throw new Error('its answer has no result')
      noteSlot(endpoint, slotIn(request, answer))
      if (endpoint.isStuck && endpoints.length > 1)
        backOff(endpoint, { why: 'it shows no new block', onNodeChange })
      else if (endpoint.isBehind) backOff(endpoint, { why: 'it is behind two others', onNodeChange })
      else markHealthy(endpoint, onNodeChange)
      // A transaction may deserve its error.
      const ok = !isRefusal(answer) || methodOf(request) === 'sendTransaction'
      measure({ of: 'rpc', node: endpoint.host, ok })
      return answer
    } catch (error) {
      if (request.signal?.aborted !== true) {
        const isAnswer = error instanceof UnknownTransaction
        measure({ of: 'rpc', node: endpoint.host, ok: isAnswer })
        if (!isAnswer) backOff(endpoint, { why: describe(error), onNodeChange })
      }
      throw error
    }
  }

  let comparedMs = -COMPARE_EVERY_MS
  const compareSlots = async (): Promise<void> => {
    const now = performance.now()
    // Of two nodes that differ, either may be wrong.
    if (genesisHash === null || endpoints.length < 3 || now - comparedMs < COMPARE_EVERY_MS) return
    comparedMs = now
    const ours = endpoints.filter((endpoint) => endpoint.genesisHash === genesisHash)
    const slots = await Promise.all(ours.map(({ transport: of }) => askFinalSlot(of, timeoutMs)))
    const [, second] = slots.filter((slot) => slot !== null).toSorted((a, b) => Number(b - a))
    for (const [at, endpoint] of ours.entries()) {
      const slot = slots[at] ?? null
      endpoint.isBehind = slot !== null && second !== undefined && second - slot > FURTHEST_BEHIND_SLOTS
    }
  }

  const transport = async (request: Request) => {
    // It does not delay the request.
    void compareSlots()
    const failures: string[] = []
    const now = performance.now()
    const first = methodOf(request) === 'sendTransaction' ? sends++ % endpoints.length : 0
    const inTurn = [...endpoints.slice(first), ...endpoints.slice(0, first)]
    // Skipped nodes come last, ordered by when they may be used again.
    const byAvailability = inTurn.toSorted((a, b) => remainingBackoffMs(a, now) - remainingBackoffMs(b, now))
    let refusal: RpcResponse = null
    let isUnknown = true
    for (const endpoint of byAvailability) {
      // It would probably not answer, and another node has answered.
      if (refusal !== null && remainingBackoffMs(endpoint, now) > 0) break
      try {
        const answer = await ask(endpoint, request)
        if (!isRefusal(answer)) return answer
        refusal ??= answer
      } catch (error) {
        if (request.signal?.aborted === true) throw error
        failures.push(`${endpoint.host}: ${describe(error)}`)
        isUnknown &&= error instanceof UnknownTransaction
      }
    }
    if (refusal !== null) return refusal
    const Failure = isUnknown ? UnknownTransaction : ChainUnavailable
    throw new Failure(`No Solana node answers (${failures.join('; ')})`)
  }

  const checkChain = async (endpoint: Endpoint) => {
    const ours = await isOnOurChain(endpoint, AbortSignal.timeout(timeoutMs)).catch(() => true)
    if (!ours) throw new WrongChain(`SOLANA_RPC_URL mixes chains: ${endpoint.host} is on another one.`)
  }
  return {
    transport: transport as RpcTransport,
    nodes: endpoints.map((endpoint) => ({
      host: endpoint.host,
      transport: ((request: Request) => ask(endpoint, request)) as RpcTransport,
    })),
    checkChains: async () => void (await Promise.all(endpoints.map(checkChain))),
  }
}

/** An error that another node may not return. */
const isRefusal = (answer: RpcResponse): boolean =>
  answer?.error !== undefined && Number(answer.error.code) !== UNSUPPORTED_VERSION

const methodOf = ({ payload }: Request): unknown => (payload as { method?: unknown }).method

/** The slot of which an answer is, at any commitment; null if it names none. */
function slotIn(request: Request, answer: RpcResponse): bigint | null {
  const result = answer?.result as { context?: { slot?: unknown } | null } | null | undefined
  const slot: unknown = methodOf(request) === 'getSlot' ? result : result?.context?.slot
  return typeof slot === 'bigint' ? slot : null
}

/** An answer without a slot changes nothing, so that a node that was not asked for long does not count as stuck. */
function noteSlot(endpoint: Endpoint, slot: bigint | null): void {
  if (slot === null) return
  const now = performance.now()
  if (slot > endpoint.slot || slot < endpoint.slot - FURTHEST_BACK_SLOTS) {
    endpoint.slot = slot
    endpoint.slotSinceMs = now
  }
  endpoint.isStuck = now - endpoint.slotSinceMs > STUCK_AFTER_MS
}

const remainingBackoffMs = ({ backoffUntilMs }: Endpoint, now: number): number =>
  Math.max(0, backoffUntilMs - now)

function backOff(
  endpoint: Endpoint,
  { why, onNodeChange }: { why: string; onNodeChange: (change: NodeStatusChange) => void },
): void {
  const restMs = Math.min(MIN_BACKOFF_MS * 2 ** endpoint.failures, MAX_BACKOFF_MS)
  const isFirstFailure = endpoint.failures === 0
  endpoint.failures += 1
  endpoint.backoffUntilMs = performance.now() + restMs
  if (isFirstFailure) onNodeChange({ host: endpoint.host, why, restMs })
}

function markHealthy(endpoint: Endpoint, onNodeChange: (change: NodeStatusChange) => void): void {
  if (endpoint.failures > 0) onNodeChange({ host: endpoint.host, why: null, restMs: 0 })
  endpoint.failures = 0
  endpoint.backoffUntilMs = 0
}

/** Null if the node does not say. */
async function askFinalSlot(transport: RpcTransport, timeoutMs: number): Promise<bigint | null> {
  const payload = { jsonrpc: '2.0', id: 'slot', method: 'getSlot', params: [{ commitment: 'finalized' }] }
  const signal = AbortSignal.timeout(timeoutMs)
  const answer = await transport<RpcResponse>({ payload, signal }).catch(() => null)
  return slotIn({ payload }, answer)
}

async function askGenesisHash(transport: RpcTransport, signal: AbortSignal): Promise<string> {
  const payload = { jsonrpc: '2.0', id: 'genesis', method: 'getGenesisHash', params: [] }
  const { result } = await transport<{ result?: unknown }>({ payload, signal })
  if (typeof result !== 'string') throw new Error('it does not report its genesis hash')
  return result
}

function describe(error: unknown): string {
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return `HTTP ${error.context.statusCode}`
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time'
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}
