import type { LocalLedger } from '#local-chain/local-ledger.ts'
import { callMethod, createRpcMethods } from '#local-chain/rpc-methods.ts'
import { type Methods, RpcError } from '#local-chain/rpc-params.ts'
import { toJson } from '#local-chain/rpc-server.ts'
import type { LandedTransaction, HistoryEntry } from '#local-chain/store.ts'
import type { Address, Commitment } from '#server/chain/port.ts'
import type { DecodedTransaction } from '#server/chain/read-transaction.ts'
import {
  accountAt,
  ancestorOf,
  type Block,
  BLOCKHASH_LIFE,
  FINAL_DEPTH,
  type ForkingChain,
} from './forking-chain.ts'

/** How many blocks a lying node adds to its height. */
const HEIGHT_OFFSETS = { lie: 1_000n, 'other lie': -900n } as const

/** The error that a lying node reports for a transaction that has landed, or for none at all. */
const INVENTED_ERROR = { InstructionError: [0, { Custom: 1 }] } as LandedTransaction['error']

const DEPTH: Record<Commitment, number> = { processed: 0, confirmed: 1, finalized: FINAL_DEPTH }

/** Methods whose result depends only on the node's block, so it is cached until the block changes. */
const CACHEABLE_METHODS = new Set([
  'getAccountInfo',
  'getBalance',
  'getTransaction',
  'getSignaturesForAddress',
  'getMultipleAccounts',
])

/** What two lying nodes say. They never agree, because a quorum of two does not protect against the same lie. */
export const LIES = ['lie', 'other lie'] as const
export type Lie = (typeof LIES)[number]

const asLie = (fault: string | null): Lie | null => LIES.find((lie) => lie === fault) ?? null

const toResponse = (result: string, id: unknown): string =>
  `{"jsonrpc":"2.0","result":${result},"id":${JSON.stringify(id)}}`

/** The faults that a call of this method can have. */
export function listFaults(method: string): string[] {
  const always = ['unreachable', 'answer lost', 'unhealthy']
  if (method === 'sendTransaction') return [...always, 'send dropped', 'send doubled', 'lands late']
  if (method === 'getSignatureStatuses') return [...always, 'null statuses', ...LIES]
  if (method === 'getTransaction' || method === 'getBlockHeight') return [...always, ...LIES]
  if (method === 'getSignaturesForAddress') return [...always, 'short page']
  return always
}

/**
 * One RPC node. It answers like a node of the local chain, from its own block: some blocks behind the others, or on an
 * abandoned fork.
 */
export class ChainNode {
  /** Returns the transaction with an inflated amount. */
  readonly #lieAbout: (landed: LandedTransaction, lie: Lie) => LandedTransaction
  /** How many blocks it is behind the tip. */
  lag = 0
  /** True while another machine of the same pool answers, which is not behind. */
  isAhead = false
  /** The tip of an abandoned fork that the node still follows. */
  stuckAt: Block | null = null
  readonly #chain: ForkingChain
  readonly #methods: Methods
  readonly #send: (read: DecodedTransaction, fault: string | null) => void
  #fault: string | null = null
  /** Results as JSON, by method and parameters. */
  readonly #cache = new Map<string, string>()
  #cachedAt: Block | null = null

  constructor(options: {
    chain: ForkingChain
    genesisHash: string
    mint: Address
    send: (read: DecodedTransaction, fault: string | null) => void
    lieAbout: (landed: LandedTransaction, lie: Lie) => LandedTransaction
  }) {
    this.#lieAbout = options.lieAbout
    this.#chain = options.chain
    this.#send = options.send
    const give = (): never => {
      throw new RpcError(-32_601, 'there is no faucet')
    }
    this.#methods = createRpcMethods(this.#asLedger(options.genesisHash), { mint: options.mint, give })
  }

  get tip(): Block {
    return this.stuckAt ?? ancestorOf(this.#chain.tip, this.isAhead ? 0 : this.lag)
  }

  /** Returns the response as text. A fault changes the response or its effect. */
  async answer(body: string, fault: string | null): Promise<string> {
    const {
      method,
      params = [],
      id,
    } = JSON.parse(body) as { method: string; params?: unknown[]; id: unknown }
    if (fault === 'unhealthy')
      return toJson({ jsonrpc: '2.0', error: { code: -32_005, message: 'behind' }, id })
    if (this.#cachedAt !== this.tip) this.#cache.clear()
    this.#cachedAt = this.tip
    const cacheKey =
      fault === null && CACHEABLE_METHODS.has(method) ? `${method} ${JSON.stringify(params)}` : null
    const cached = cacheKey === null ? undefined : this.#cache.get(cacheKey)
    if (cached !== undefined) return toResponse(cached, id)
    this.#fault = fault
    try {
      const result = await callMethod(this.#ledger, this.#methods, { method, params })
      const text = toJson(result)
      if (cacheKey !== null) this.#cache.set(cacheKey, text)
      return toResponse(text, id)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      const { code, message, data } = error
      return toJson({ jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id })
    } finally {
      this.#fault = null
    }
  }

  get #lie(): Lie | null {
    return asLie(this.#fault)
  }

  #ledger!: LocalLedger

  #blockAt(commitment: Commitment): Block {
    return ancestorOf(this.tip, DEPTH[commitment])
  }

  /** A ledger for the methods of the local chain that contains what this node sees. */
  #asLedger(genesisHash: string): LocalLedger {
    const blocks = {
      genesisHash,
      height: (commitment: Commitment = 'processed') =>
        this.#blockAt(commitment).height + (this.#lie === null ? 0n : HEIGHT_OFFSETS[this.#lie]),
      slot: (commitment: Commitment = 'processed') => this.#blockAt(commitment).slot,
      commitmentOf: (slot: bigint): Commitment => {
        if (slot <= this.#blockAt('finalized').slot) return 'finalized'
        return slot <= this.#blockAt('confirmed').slot ? 'confirmed' : 'processed'
      },
      latestBlockhash: (commitment: Commitment) => {
        const { hash, height } = this.#blockAt(commitment)
        return { blockhash: hash, lastValidBlockHeight: height + BLOCKHASH_LIFE }
      },
      isUsable: (blockhash: string, commitment: Commitment = 'processed') =>
        this.#chain.isUsable(this.#blockAt(commitment), blockhash),
    }
    const store = {
      status: (signature: string) => this.#statusOf(signature),
      history: (address: Address, query: Parameters<ChainNode['history']>[1]) => this.history(address, query),
      count: () => 0n,
    }
    this.#ledger = {
      blocks,
      store,
      account: (address: Address, commitment: Commitment) =>
        accountAt(this.#blockAt(commitment), address) ?? { address, exists: false },
      accountsOf: (program: Address) => this.#chain.accountsOf(program),
      rentFor: (bytes: bigint) => this.#chain.machine.rentFor(bytes),
      find: (signature: string, commitment: Commitment) => {
        const landed = this.#chain.findLanded(this.#blockAt(commitment), signature)
        return landed !== null && this.#lie !== null ? this.#lieAbout(landed, this.#lie) : landed
      },
      simulate: (read: DecodedTransaction) => this.#simulate(read),
      submit: (read: DecodedTransaction) => {
        this.#send(read, this.#fault)
        return null
      },
    } as unknown as LocalLedger
    return this.#ledger
  }

  /**
   * One lie is the opposite: a landed transaction is unknown, an unknown one is final. The other lie: it has failed. That it
   * has succeeded would be the first lie of a node which is behind.
   */
  #statusOf(signature: string): Pick<LandedTransaction, 'slot' | 'error'> | null {
    const landed = this.#chain.findLanded(this.tip, signature)
    const slot = landed?.slot ?? this.#blockAt('finalized').slot
    if (this.#lie === 'other lie') return { slot, error: landed?.error ?? INVENTED_ERROR }
    if (this.#lie === 'lie' && landed === null) return { slot, error: null }
    return this.#lie === 'lie' || this.#fault === 'null statuses' ? null : landed
  }

  #simulate(read: DecodedTransaction): unknown {
    const lifetimeOk = this.#chain.isUsable(this.tip, read.message.lifetimeToken)
    const run = this.#chain.machine.simulate(read, { lifetimeOk, verifySignatures: true })
    return this.#chain.findLanded(this.tip, read.signature) ? { ...run, error: 'AlreadyProcessed' } : run
  }

  /** Newest first. An unknown `before` finds nothing; an unknown `until` has no effect. */
  history(
    address: Address,
    query: { slot: bigint; before: string | null; until: string | null; limit: number },
  ): HistoryEntry[] {
    const all: LandedTransaction[] = []
    for (let block: Block | null = this.tip; block !== null; block = block.parent)
      if (block.slot <= query.slot)
        all.push(...block.landed.filter(({ meta }) => meta.keys.includes(address)).toReversed())
    const from = query.before === null ? 0 : all.findIndex((each) => each.signature === query.before) + 1
    if (query.before !== null && from === 0) return []
    const end = all.findIndex((each) => each.signature === query.until)
    const page = all.slice(from, end < 0 ? undefined : end).slice(0, query.limit)
    // Some providers return short pages although there is more.
    return this.#fault === 'short page' && page.length > 1 ? page.slice(0, 1) : page
  }
}
