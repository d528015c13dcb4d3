import { setTimeout as sleep } from 'node:timers/promises'
import { COTTON_DECIMALS } from '#game/cotton.ts'
import { explorerOf } from '#server/chain/clusters.ts'
import { type Address, type Chain, ChainUnavailable } from '#server/chain/port.ts'
import type { Queryable } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { OutageStartupError } from '#server/platform/startup-error.ts'
import { type BoundChain, type ChainSettings, connectAsBound, readBoundChain } from './connect-bound-chain.ts'

const RETRY_MS = 10_000

/** A chain that may have to be checked later. */
type ChainConnection = {
  chain: Chain
  isChecked: () => boolean
  /** Resolves once the chain is checked, or after `stop`. Rejects with a `StartupError` if it is not the one of the database. */
  check: Promise<void>
  stop: () => void
}

/**
 * Connects like `connectBoundChain`, for a role that has work without the chain. If no node answers and the database is bound
 * to a chain, the chain is returned unchecked: it has the stored facts, and refuses each call like a chain of which no node
 * answers. It is checked as soon as one does, and only then used. A database that is not bound yet needs a node.
 */
export async function connectWhenReachable(
  settings: ChainSettings,
  db: Queryable,
  log: Log,
  { retryMs = RETRY_MS }: { retryMs?: number } = {},
): Promise<ChainConnection> {
  const boundChain = await readBoundChain(db)
  try {
    const chain = await connectAsBound(boundChain, settings, log)
    return { chain, isChecked: () => true, check: Promise.resolve(), stop: () => {} }
  } catch (error) {
    if (boundChain === null || !(error instanceof OutageStartupError)) throw error
    log.error({ reason: error.message }, 'no Solana node answers: what needs one is refused until one does')
    return checkLater(boundChain, { settings, log, retryMs })
  }
}

type RetryOptions = { settings: ChainSettings; log: Log; retryMs: number }

function checkLater(boundChain: BoundChain, { settings, log, retryMs }: RetryOptions): ChainConnection {
  const chain = createUncheckedChain(boundChain)
  const stopping = new AbortController()
  const { signal } = stopping
  let isChecked = false
  const connect = async (): Promise<void> => {
    try {
      // In one step, for everybody who has been given this chain.
      Object.assign(chain, await connectAsBound(boundChain, settings, log))
      isChecked = true
      log.warn('a Solana node answers, and the chain is the one of this database')
    } catch (error) {
      if (!(error instanceof OutageStartupError) && !signal.aborted) throw error
    }
  }
  const run = async (): Promise<void> => {
    for (;;) {
      // Rejects when `stop` interrupts it.
      await sleep(retryMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      await connect()
      if (isChecked) return
    }
  }
  const check = run()
  // The role awaits it once it has started.
  check.catch(() => undefined)
  return { chain, isChecked: () => isChecked, check, stop: () => stopping.abort() }
}

const UNCHECKED = 'No Solana node has answered since the start'

const refuse = (): Promise<never> => Promise.reject(new ChainUnavailable(UNCHECKED))

function createUncheckedChain({ cluster, genesisHash, mint }: BoundChain): Chain {
  return {
    facts: {
      cluster,
      genesisHash,
      mint: mint as Address,
      decimals: COTTON_DECIMALS,
      explorer: explorerOf(genesisHash),
      // The database does not store it. Only transfers need it, and they need a node before.
      get tokenProgram(): Address {
        throw new ChainUnavailable(UNCHECKED)
      },
    },
    nodes: [],
    genesisHash: refuse,
    slot: refuse,
    blockHeight: refuse,
    latestBlockhash: refuse,
    tokenAccountOf: refuse,
    tokenAccount: refuse,
    tokenAccounts: refuse,
    tokenBalance: refuse,
    tokenBalances: refuse,
    ownedAccounts: refuse,
    lamports: refuse,
    history: refuse,
    receipt: refuse,
    createReceiptReader: () => refuse,
    send: async () => ({ state: 'unknown', detail: UNCHECKED }),
    statuses: refuse,
    nonceValue: refuse,
    nonceValues: refuse,
    rentFor: refuse,
    unitPrice: refuse,
  }
}
