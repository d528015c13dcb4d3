import { getCompiledTransactionMessageDecoder } from '@solana/kit'
import type { Commitment } from '#server/chain/port.ts'
import type { Message } from '#server/chain/read-transaction.ts'
import { feeOf } from './fees.ts'
import type { LocalLedger } from './local-ledger.ts'
import { accountMethods, withContext } from './rpc-accounts.ts'
import {
  addressOf,
  amountOf,
  commitmentOf,
  type Config,
  configOf,
  invalid,
  type Methods,
  minContextSlotOf,
  RpcError,
} from './rpc-params.ts'
import { transactionMethods } from './rpc-transactions.ts'
import type { TestToken } from './test-token.ts'

const METHOD_NOT_FOUND = -32601
const MIN_CONTEXT_SLOT_NOT_REACHED = -32016
const SLOTS_PER_EPOCH = 432_000n

/**
 * The JSON-RPC methods of a Solana node (https://solana.com/docs/rpc/http) that the local chain supports, and two of its
 * own: `cottonMint` → the mint's address; `cottonFaucet [owner, baseUnits, lamports]` → signatures.
 */
export function createRpcMethods(ledger: LocalLedger, token: TestToken): Methods {
  return {
    ...chainMethods(ledger),
    ...accountMethods(ledger),
    ...transactionMethods(ledger),
    cottonMint: () => token.mint,
    cottonFaucet: ([owner, baseUnits, lamports]) =>
      token.give({ owner: addressOf(owner), baseUnits: amountOf(baseUnits), lamports: amountOf(lamports) }),
    requestAirdrop: async ([owner, lamports]) => {
      const [signature] = await token.give({
        owner: addressOf(owner),
        baseUnits: 0n,
        lamports: amountOf(lamports),
      })
      return signature
    },
  }
}

/** Calls a method. Rejects with `RpcError` where a node would respond with an error. */
export async function callMethod(
  ledger: LocalLedger,
  methods: Methods,
  request: { method: string; params: readonly unknown[] },
): Promise<unknown> {
  const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
  if (method === undefined) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  checkContextSlot(ledger, request.method, request.params.at(-1))
  return method(request.params)
}

function checkContextSlot(ledger: LocalLedger, method: string, last: unknown): void {
  if (typeof last !== 'object' || last === null || Array.isArray(last)) return
  const config = configOf(last)
  const wanted = minContextSlotOf(config)
  if (wanted === null) return
  const slot = ledger.blocks.slot(contextCommitmentOf(method, config))
  if (slot >= wanted) return
  throw new RpcError(MIN_CONTEXT_SLOT_NOT_REACHED, 'Minimum context slot has not been reached', {
    contextSlot: slot,
  })
}

/** The commitment of the state that a call reads. `sendTransaction` reads the one of its preflight, or the newest. */
function contextCommitmentOf(method: string, config: Config): Commitment {
  if (method !== 'sendTransaction') return commitmentOf(config)
  if (config.skipPreflight === true) return 'processed'
  return commitmentOf({ commitment: config.preflightCommitment })
}

function chainMethods(ledger: LocalLedger): Methods {
  const { blocks } = ledger
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '4.2.0', 'feature-set': 0 }),
    getGenesisHash: () => blocks.genesisHash,
    getSlot: ([config]) => blocks.slot(commitmentOf(configOf(config))),
    getBlockHeight: ([config]) => blocks.height(commitmentOf(configOf(config))),
    getTransactionCount: () => ledger.store.count(),
    getEpochInfo: ([config]) => {
      const commitment = commitmentOf(configOf(config))
      const absoluteSlot = blocks.slot(commitment)
      return {
        absoluteSlot,
        blockHeight: blocks.height(commitment),
        epoch: absoluteSlot / SLOTS_PER_EPOCH,
        slotIndex: absoluteSlot % SLOTS_PER_EPOCH,
        slotsInEpoch: SLOTS_PER_EPOCH,
        transactionCount: ledger.store.count(),
      }
    },
    getLatestBlockhash: ([config]) => {
      const commitment = commitmentOf(configOf(config))
      return withContext(ledger, commitment, blocks.latestBlockhash(commitment))
    },
    isBlockhashValid: ([blockhash, config]) => {
      const commitment = commitmentOf(configOf(config))
      return withContext(ledger, commitment, blocks.isUsable(addressOf(blockhash), commitment))
    },
    getFeeForMessage: ([message, config]) =>
      withContext(ledger, commitmentOf(configOf(config)), feeOf(messageOf(message))),
    getRecentPrioritizationFees: () => [{ slot: blocks.slot(), prioritizationFee: 0 }],
  }
}

function messageOf(value: unknown): Message {
  if (typeof value !== 'string') throw invalid('expected a message')
  try {
    const message = getCompiledTransactionMessageDecoder().decode(Buffer.from(value, 'base64'))
    if (message.version === 1) throw invalid('unsupported version')
    return message as Message
  } catch {
    throw invalid('failed to deserialize message')
  }
}
