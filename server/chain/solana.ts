import {
  createSolanaRpcFromTransport,
  fetchEncodedAccount,
  getAddressEncoder,
  assertIsBlockhash,
  isAddress,
  isSignature,
  isSolanaError,
  parseBase64RpcAccount,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  type MaybeEncodedAccount,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit'
import { getNonceDecoder, getNonceSize, NonceState, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { AccountState, findAssociatedTokenPda } from '@solana-program/token'
import { clusterOf, explorerOf } from './clusters.ts'
import { createFailover, type NodeStatusChange } from './endpoints.ts'
import { askLocalMint } from './ask-local-chain.ts'
import { readMintFacts } from './mint.ts'
import type { Rate } from './pace.ts'
import {
  ChainUnavailable,
  WrongChain,
  type Address,
  type Chain,
  type ChainFacts,
  type ChainNode,
  type Cluster,
  type Commitment,
  type HistoryItem,
  type HistoryQuery,
  type Nonce,
  type OwnedAccount,
  type Receipt,
  type SendResult,
  type SettledCommitment,
  type Signature,
  type SignatureStatus,
  type TokenAccount,
  type Wire,
} from './port.ts'
import { checkTransaction, type CheckedTransaction } from './check-transaction.ts'
import { receiptOf, type RpcTransaction } from './receipts.ts'
import { rejectionOf } from './rejections.ts'
import { AMOUNT_SLICE, readAmount, readToken, TOKEN_PROGRAMS } from './token-accounts.ts'

/** The timeout of a request. It is longer for a single node; with several, the next one may be faster. */
const RESPONSE_TIMEOUT_MS = { singleNode: 30_000, multipleNodes: 8_000 }
/** Of a transaction, seven bits hold its version. */
const ANY_VERSION = 127
const STATUSES_PER_CALL = 256

type Solana = Rpc<SolanaRpcApi>

/**
 * Connects to a Solana chain over JSON-RPC and checks that it matches the settings: genesis hash, mint, six decimals, a
 * known token program and known extensions. Except on the local chain, the token must have no freeze authority unless
 * `mayFreeze`. Rejects with `WrongChain` (one sentence for the operator) or `ChainUnavailable`. Without `mint`, the local
 * chain is asked for its own.
 */
export async function connectChain(of: {
  rpcUrls: readonly string[]
  mint?: string
  mayFreeze?: boolean
  cluster?: Cluster | undefined
  /** The cluster that the ledger is bound to; none in a new game. */
  boundCluster?: Cluster | undefined
  /** The supervisor started this chain itself. */
  isOwnChain?: boolean
  timeoutMs?: number
  /** The limit of the calls to one node, by all connections of this process together; not limited by default. */
  rate?: Rate | undefined
  /** Called when a node is skipped for a while, and when it is used again. */
  onNodeChange?: (change: NodeStatusChange) => void
}): Promise<Chain> {
  for (const url of of.rpcUrls)
    if (!URL.canParse(url) || !/^https?:/.test(url))
      throw new WrongChain('SOLANA_RPC_URL must be a comma list of http or https addresses.')
  const defaultTimeoutMs =
    of.rpcUrls.length > 1 ? RESPONSE_TIMEOUT_MS.multipleNodes : RESPONSE_TIMEOUT_MS.singleNode
  const { transport, nodes, checkChains } = createFailover(of.rpcUrls, {
    timeoutMs: of.timeoutMs ?? defaultTimeoutMs,
    rate: of.rate,
    onNodeChange: of.onNodeChange,
  })
  const rpc: Solana = createSolanaRpcFromTransport(transport)
  const genesisHash: string = await read(() => rpc.getGenesisHash().send())
  await checkChains()
  const { cluster: configured, boundCluster: bound, isOwnChain } = of
  const cluster = clusterOf(genesisHash, { configured, bound, isOwnChain })
  const mint = of.mint ?? (cluster === 'local' ? await read(() => askLocalMint(transport)) : undefined)
  if (mint === undefined) throw new WrongChain('COTTON_MINT is missing: name the mint of $COTTON.')
  if (!isAddress(mint)) throw new WrongChain(`COTTON_MINT is not a Solana address: ${mint}`)
  const mayFreeze = cluster === 'local' || of.mayFreeze === true
  const token = await read(() => readMintFacts(rpc, { mint, mayFreeze, isNewGame: bound === undefined }))
  const facts = { cluster, genesisHash, explorer: explorerOf(genesisHash), ...token }
  const single = nodes.map(({ host, transport: only }) => ({
    host,
    ...createNode(createSolanaRpcFromTransport(only), facts),
  }))
  return { ...createChain(rpc, facts), nodes: single }
}

/** The same functions. A node may answer anything: an answer that cannot be read counts as none. */
function refuseUnreadable<Part extends object>(reads: Part): Part {
  const guarded = Object.entries(reads).map(
    ([name, request]: [string, (...of: unknown[]) => Promise<unknown>]) => [
      name,
      (...of: unknown[]) => read(() => request(...of)),
    ],
  )
  return Object.fromEntries(guarded) as Part
}

function signatureOf(value: unknown): Signature {
  if (typeof value !== 'string' || !isSignature(value)) throw new Error('its answer has no signature')
  return value
}

/** A u64 or i64 of an answer. */
function integerOf(value: unknown): bigint {
  if (typeof value !== 'bigint') throw new Error('its answer has something else in the place of an integer')
  return value
}

/** Whether an answer names an error. One that leaves it out must not pass for a failure. */
function hasFailed(error: unknown): boolean {
  if (error === undefined) throw new Error('its answer does not say whether a transaction has failed')
  return error !== null
}

/** What an answer lists, which is one value for each that was asked for. A missing one must not pass for an empty one. */
function oneForEach<T>(asked: readonly unknown[], values: readonly T[]): readonly T[] {
  if (values.length !== asked.length) throw new Error('its answer has too few or too many values')
  return values
}

function createNode(rpc: Solana, facts: ChainFacts): Omit<ChainNode, 'host'> {
  return refuseUnreadable<Omit<ChainNode, 'host'>>({
    genesisHash: () => rpc.getGenesisHash().send(),
    slot: async (commitment) => integerOf(await rpc.getSlot({ commitment }).send()),
    blockHeight: async (commitment) => integerOf(await rpc.getBlockHeight({ commitment }).send()),
    history: (address, query) => history(rpc, address, query),
    receipt: (signature, of, commitment) => receipt(rpc, signature, { ...of, facts }, commitment),
    statuses: (signatures) => statuses(rpc, signatures),
    nonceValue: async (address, commitment, of) =>
      (await nonceValues(rpc, [address], { commitment, ...of }))[0] ?? null,
    nonceValues: (addresses, commitment, of) => nonceValues(rpc, addresses, { commitment, ...of }),
  })
}

function createChain(rpc: Solana, facts: ChainFacts): Omit<Chain, 'nodes'> {
  const { mint, tokenProgram } = facts
  const mintBytes = getAddressEncoder().encode(mint)
  const account = (address: Address, commitment: Commitment): Promise<MaybeEncodedAccount> =>
    fetchEncodedAccount(rpc, address, { commitment })
  const reads: Omit<Chain, 'nodes' | 'facts' | 'createReceiptReader' | keyof ChainNode> = {
    latestBlockhash: async (commitment) => {
      const { blockhash, lastValidBlockHeight } = (await rpc.getLatestBlockhash({ commitment }).send()).value
      assertIsBlockhash(blockhash)
      return { blockhash, lastValidBlockHeight: integerOf(lastValidBlockHeight) }
    },
    rentFor: async (bytes) => integerOf(await rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send()),
    lamports: async (address, commitment) =>
      integerOf((await rpc.getBalance(address, { commitment }).send()).value),
    tokenAccountOf: async (owner) => (await findAssociatedTokenPda({ owner, mint, tokenProgram }))[0],
    tokenAccount: async (address, commitment) => tokenAccountIn(await account(address, commitment)),
    tokenAccounts: (addresses) => tokenAccounts(rpc, addresses),
    tokenBalance: async (address, commitment) => {
      const token = readToken(await account(address, commitment))
      return token?.mint === mint ? token.amount : 0n
    },
    ownedAccounts: (owner) => ownedAccounts(rpc, owner),
    tokenBalances: (addresses, of) =>
      tokenBalances(rpc, addresses, { ...of, token: { mint: mintBytes, tokenProgram } }),
    unitPrice: (accounts) => unitPrice(rpc, accounts),
    send: (wire, options) => send(rpc, wire, options?.skipPreflight ?? false),
  }
  return {
    facts,
    ...createNode(rpc, facts),
    ...refuseUnreadable(reads),
    createReceiptReader: () => refuseUnreadable({ receipt: createReceiptReader(rpc, facts) }).receipt,
  }
}

function tokenAccountIn(account: MaybeEncodedAccount): TokenAccount | null {
  const token = readToken(account)
  if (token === null) return null
  const { owner, mint, amount, state } = token
  return { owner, mint, amount, frozen: state === AccountState.Frozen }
}

async function tokenAccounts(rpc: Solana, addresses: readonly Address[]): Promise<(TokenAccount | null)[]> {
  const config = { commitment: 'finalized', encoding: 'base64' } as const
  const { value } = await rpc.getMultipleAccounts(addresses, config).send()
  const accounts = oneForEach(addresses, value)
  return addresses.map((address, at) => tokenAccountIn(parseBase64RpcAccount(address, accounts[at] ?? null)))
}

async function tokenBalances(
  rpc: Solana,
  addresses: readonly Address[],
  {
    notBefore,
    commitment = 'finalized',
    token,
  }: { notBefore: bigint; commitment?: SettledCommitment; token: Parameters<typeof readAmount>[1] },
): Promise<{ slot: bigint; amounts: bigint[] }> {
  const config = {
    commitment,
    encoding: 'base64',
    dataSlice: AMOUNT_SLICE,
    minContextSlot: notBefore,
  } as const
  const { context, value } = await rpc.getMultipleAccounts(addresses, config).send()
  if (integerOf(context.slot) < notBefore) throw nodeIsBehind()
  const amounts = oneForEach(addresses, value).map((account) => readAmount(account, token))
  return { slot: context.slot, amounts }
}

async function ownedAccounts(rpc: Solana, owner: Address): Promise<OwnedAccount[]> {
  const config = { commitment: 'finalized', encoding: 'base64' } as const
  const found = await Promise.all(
    TOKEN_PROGRAMS.map((programId) => rpc.getTokenAccountsByOwner(owner, { programId }, config).send()),
  )
  return found
    .flatMap(({ value }) => value)
    .flatMap(({ pubkey: address, account }) => {
      const token = readToken(parseBase64RpcAccount(address, account as typeof account | null))
      return token ? [{ address, mint: token.mint, amount: token.amount }] : []
    })
}

async function nonceValues(
  rpc: Solana,
  addresses: readonly Address[],
  { commitment, notBefore = 0n }: { commitment: Commitment; notBefore?: bigint },
): Promise<(Nonce | null)[]> {
  const config = { commitment, encoding: 'base64', minContextSlot: notBefore } as const
  const { context, value } = await rpc.getMultipleAccounts(addresses, config).send()
  if (integerOf(context.slot) < notBefore) throw nodeIsBehind()
  const accounts = oneForEach(addresses, value)
  return addresses.map((address, at) => readNonce(parseBase64RpcAccount(address, accounts[at] ?? null)))
}

async function history(
  rpc: Solana,
  address: Address,
  { notBefore, ...query }: HistoryQuery,
): Promise<HistoryItem[]> {
  const config = notBefore === undefined ? query : { ...query, minContextSlot: notBefore }
  const items = await rpc.getSignaturesForAddress(address, config).send()
  return items.map(({ signature, slot, err, memo, confirmationStatus }) => ({
    signature: signatureOf(signature),
    slot: integerOf(slot),
    failed: hasFailed(err),
    memo: typeof memo === 'string' ? memo : null,
    commitment: confirmationStatus ?? null,
  }))
}

async function receipt(
  rpc: Solana,
  signature: Signature,
  of: Parameters<typeof receiptOf>[2] & { facts: ChainFacts },
  commitment: SettledCommitment,
): Promise<Receipt | null> {
  const answer = await transaction(rpc, { signature, facts: of.facts }, commitment)
  return answer && receiptOf(signature, answer, of)
}

/** How many recent transactions a round caches. Each can take about ten kB. */
const MAX_CACHED_TRANSACTIONS = 500

function createReceiptReader(rpc: Solana, facts: ChainFacts): Chain['receipt'] {
  const cache = new Map<string, Promise<RpcTransaction | null>>()
  return async (signature, of, commitment) => {
    const name = `${commitment} ${signature}`
    const cached = cache.get(name)
    const pending = cached ?? transaction(rpc, { signature, facts }, commitment)
    if (!cached) {
      cache.set(name, pending)
      if (cache.size > MAX_CACHED_TRANSACTIONS) cache.delete(cache.keys().next().value!)
    }
    const answer = await pending.catch((error: unknown) => {
      cache.delete(name)
      throw error
    })
    if (answer === null) cache.delete(name)
    return answer && receiptOf(signature, answer, { ...of, facts })
  }
}

async function transaction(
  rpc: Solana,
  { signature, facts }: { signature: Signature; facts: ChainFacts },
  commitment: SettledCommitment,
): Promise<RpcTransaction | null> {
  const request = (maxVersion: number) => {
    // The library's type knows current versions only. Balances have the same format in all of them.
    const config = { commitment, encoding: 'json', maxSupportedTransactionVersion: maxVersion as 0 } as const
    return rpc.getTransaction(signature, config).send()
  }
  const orUpTo = (maxVersion: number) => (error: unknown) => {
    if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION))
      return request(maxVersion)
    throw error
  }
  // Some providers accept only the versions that they know, and a newer one must not stop the scan of deposits.
  const answer = await request(0).catch(orUpTo(1)).catch(orUpTo(ANY_VERSION))
  if (answer === null) return null
  checkTransaction(answer as CheckedTransaction, { signature, facts })
  return answer as RpcTransaction
}

async function send(rpc: Solana, wire: Wire, skipPreflight: boolean): Promise<SendResult> {
  try {
    const signature = await rpc
      .sendTransaction(wire, { encoding: 'base64', skipPreflight, preflightCommitment: 'confirmed' })
      .send()
    return { state: 'accepted', signature }
  } catch (error) {
    const rejection = rejectionOf(error)
    if (rejection !== null) return { state: 'rejected', ...rejection }
    return { state: 'unknown', detail: error instanceof Error ? error.message : String(error) }
  }
}

async function statuses(rpc: Solana, signatures: readonly Signature[]): Promise<(SignatureStatus | null)[]> {
  const found: (SignatureStatus | null)[] = []
  for (let from = 0; from < signatures.length; from += STATUSES_PER_CALL) {
    const some = signatures.slice(from, from + STATUSES_PER_CALL)
    const { value } = await rpc.getSignatureStatuses(some, { searchTransactionHistory: true }).send()
    for (const status of oneForEach(some, value)) {
      // A transaction from the node's long-term storage has no confirmation status. It is rooted.
      const commitment = status?.confirmationStatus ?? 'finalized'
      found.push(
        status === null ? null : { slot: integerOf(status.slot), commitment, failed: hasFailed(status.err) },
      )
    }
  }
  return found
}

/** The 75th percentile of recent blocks, so that a single expensive block does not set the price. */
const PRICE_PERCENTILE = 0.75

async function unitPrice(rpc: Solana, accounts: readonly Address[]): Promise<bigint> {
  const blocks = await rpc.getRecentPrioritizationFees(accounts).send()
  const prices = blocks.map((block) => BigInt(block.prioritizationFee)).toSorted((a, b) => Number(a - b))
  // A transaction cannot be built with it.
  if (prices[0] !== undefined && prices[0] < 0n) throw new Error('its answer has a negative price')
  return prices[Math.floor(prices.length * PRICE_PERCENTILE)] ?? 0n
}

function readNonce(account: ReturnType<typeof parseBase64RpcAccount>): Nonce | null {
  if (!account.exists || account.programAddress !== SYSTEM_PROGRAM_ADDRESS) return null
  if (account.data.length !== getNonceSize()) return null
  const { state, blockhash } = getNonceDecoder().decode(account.data)
  return state === NonceState.Initialized ? (blockhash as string as Nonce) : null
}

// Some nodes ignore `minContextSlot`.
const nodeIsBehind = () => new ChainUnavailable('The Solana node is behind the slot that was already read')

async function read<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    throw unavailable(error)
  }
}

/** A read has no expected error: an error response counts as no response. */
function unavailable(error: unknown): Error {
  if (error instanceof ChainUnavailable || error instanceof WrongChain) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new ChainUnavailable(`The Solana node failed to answer: ${reason}`, { cause: error })
}
