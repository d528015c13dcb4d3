import {
  type Address,
  type Chain,
  type ChainNode,
  ChainUnavailable,
  type Nonce,
  type Receipt,
  type Signature,
  type SignatureStatus,
} from './port.ts'

/** How many nodes must agree on critical facts, if the settings name that many. */
const QUORUM = 2

/** How many of these nodes must agree: two, or the only one. */
const quorumOf = ({ nodes }: Chain): number => Math.min(QUORUM, nodes.length)

/**
 * What the nodes report of a final receipt when each is asked separately. `agreed`: two report the same amount (or the only
 * node does). `no_quorum`: too few report it. `disagreed`: a node reports another amount.
 */
export async function checkReceiptQuorum(
  chain: Chain,
  receipt: Receipt,
  of: Parameters<Chain['receipt']>[1],
): Promise<'agreed' | 'no_quorum' | 'disagreed'> {
  if (chain.nodes.length < QUORUM) return 'agreed'
  const shown = await askEachNode(chain, (node) => node.receipt(receipt.signature, of, 'finalized'))
  const seen = shown.filter((each) => each !== null)
  if (seen.some((each) => each.amount !== receipt.amount || each.failed !== receipt.failed))
    return 'disagreed'
  return seen.length >= QUORUM ? 'agreed' : 'no_quorum'
}

/**
 * The effects of a final transaction, with every account of our mint, if two nodes (or the only one) report the same and no
 * node that answers reports anything else; otherwise null. Rejects with `ChainUnavailable` if none answers.
 */
export async function readAgreedReceipt(
  chain: Chain,
  signature: Signature,
  of: Parameters<Chain['receipt']>[1],
): Promise<Receipt | null> {
  if (chain.nodes.length < QUORUM) return chain.receipt(signature, of, 'finalized')
  const shown = await askEachNode(chain, (node) => node.receipt(signature, of, 'finalized'))
  if (shown.length === 0) throw noNodeAnswered()
  const seen = shown.filter((each) => each !== null)
  const [first] = seen
  if (!first || seen.length < QUORUM || !seen.every((each) => haveSameEffect(each, first))) return null
  return first
}

/** How many receipts are requested at once. */
const RECEIPTS_AT_ONCE = 8

/** What `readAgreedReceipt` returns for each of these transactions, in their order. */
export async function* readAgreedReceipts(
  chain: Chain,
  signatures: readonly Signature[],
  of: Parameters<Chain['receipt']>[1],
): AsyncGenerator<[Signature, Receipt | null], void> {
  for (let from = 0; from < signatures.length; from += RECEIPTS_AT_ONCE) {
    const some = signatures.slice(from, from + RECEIPTS_AT_ONCE)
    const receipts = await Promise.all(some.map((signature) => readAgreedReceipt(chain, signature, of)))
    for (const [at, signature] of some.entries()) yield [signature, receipts[at] ?? null]
  }
}

function haveSameEffect(a: Receipt, b: Receipt): boolean {
  // By its lifetime a failed payout has used the nonce of its lane, or another one.
  const effectOf = ({ amount, failed, lifetime, changes }: Receipt): string =>
    JSON.stringify([failed, amount, lifetime, changes], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  return effectOf(a) === effectOf(b)
}

/** The outcome of a transaction: final, known to some node, or unknown to every node that answers. */
export type TransactionOutcome = 'landed' | 'failed' | 'seen' | 'unseen'

/**
 * The outcome of each transaction, in the order of the arguments. It has landed or failed finally when two nodes (or the
 * only one) report that result as final and none reports the opposite; with fewer it counts as seen. Each node is asked
 * once for all of them. Rejects with `ChainUnavailable` if none answers.
 */
export async function readOutcomes(
  chain: Chain,
  signatures: readonly Signature[],
): Promise<TransactionOutcome[]> {
  const quorum = quorumOf(chain)
  return (await readStatuses(chain, signatures)).map((shown) => outcomeFrom(shown, quorum))
}

/**
 * Whether the first two nodes that answer (or the only one) know each transaction, at any commitment, in the order of the
 * arguments. One node alone could otherwise keep a transaction from being sent. Rejects like `readOutcomes`.
 */
export async function areKnown(chain: Chain, signatures: readonly Signature[]): Promise<boolean[]> {
  if (chain.nodes.length < QUORUM) return (await chain.statuses(signatures)).map((status) => status !== null)
  const views = await askFirstNodes(chain, (node) => node.statuses(signatures))
  if (views.length === 0) throw noNodeAnswered()
  return signatures.map((_, at) => views.length === QUORUM && views.every((view) => Boolean(view[at])))
}

/**
 * The slot in which each transaction has finally landed, in the order of the arguments, as reported by two nodes (or the
 * only one); null if fewer report it, or if one reports it as failed. Rejects like `readOutcomes`.
 */
export async function readLandedSlots(
  chain: Chain,
  signatures: readonly Signature[],
): Promise<(bigint | null)[]> {
  const quorum = quorumOf(chain)
  return (await readStatuses(chain, signatures)).map((shown) => {
    if (outcomeFrom(shown, quorum) !== 'landed') return null
    const final = shown.filter((status) => status?.commitment === 'finalized')
    return findQuorumValue(
      final.map((status) => status!.slot),
      quorum,
    )
  })
}

/**
 * The final value of a nonce account at slot `notBefore` or later, if two nodes (or the only one) agree; null if they do
 * not, or if there is no such account. Rejects with `ChainUnavailable` if none answers.
 */
export async function readAgreedNonce(
  chain: Chain,
  nonceAccount: Address,
  of: { notBefore: bigint },
): Promise<Nonce | null> {
  if (chain.nodes.length < QUORUM) return chain.nonceValue(nonceAccount, 'finalized', of)
  const shown = await askEachNode(chain, (node) => node.nonceValue(nonceAccount, 'finalized', of))
  if (shown.length === 0) throw noNodeAnswered()
  return findQuorumValue(shown, quorumOf(chain))
}

/** Whether a nonce is unused at slot `notBefore` or later on two nodes (or the only one), and on every node that answers. */
export async function isNonceUnused(
  chain: Chain,
  { nonceAccount, nonce, notBefore }: { nonceAccount: Address; nonce: Nonce; notBefore: bigint },
): Promise<boolean> {
  const shown = await askEachNode(chain, (node) => node.nonceValue(nonceAccount, 'finalized', { notBefore }))
  return shown.length >= quorumOf(chain) && shown.every((each) => each === nonce)
}

/** The reports of every node that answers, for each transaction in the order of the arguments. */
async function readStatuses(
  chain: Chain,
  signatures: readonly Signature[],
): Promise<(SignatureStatus | null)[][]> {
  const views = await askEachNode(chain, (node) => node.statuses(signatures))
  if (views.length === 0) throw noNodeAnswered()
  return signatures.map((_, at) => views.map((view) => view[at] ?? null))
}

const noNodeAnswered = () => new ChainUnavailable('No Solana node answers')

function findQuorumValue<T>(values: readonly T[], quorum: number): T | null {
  return values.find((one) => values.filter((each) => each === one).length >= quorum) ?? null
}

function outcomeFrom(shown: readonly (SignatureStatus | null)[], quorum: number): TransactionOutcome {
  const seen = shown.filter((status) => status !== null)
  const ends = seen.filter((status) => status.commitment === 'finalized').map((status) => status.failed)
  if (ends.length < quorum || new Set(ends).size > 1) return seen.length > 0 ? 'seen' : 'unseen'
  return ends[0] ? 'failed' : 'landed'
}

/**
 * Whether each transaction with a recent blockhash can never land, in the order of the arguments: on at least two nodes (or the
 * only one) the finalized height is above its last valid height, and no node that answers knows the signature. A node that
 * lags or lies can delay this, but cannot cause it. Each node is asked once for all of them.
 */
export async function canNeverLand(
  chain: Chain,
  transactions: readonly { signature: Signature; lastValidHeight: bigint }[],
): Promise<boolean[]> {
  const signatures = transactions.map(({ signature }) => signature)
  const views = await askEachNode(chain, async (node) => {
    // Read before the statuses, so that these include everything that had landed by this height.
    const height = await node.blockHeight('finalized')
    return { height, statuses: await node.statuses(signatures) }
  })
  return transactions.map(({ lastValidHeight }, at) => {
    if (views.some(({ statuses }) => statuses[at])) return false
    return views.filter(({ height }) => height > lastValidHeight).length >= quorumOf(chain)
  })
}

/** Far more than the 150 blocks for which a blockhash is valid, and those by which finality or a node is behind. */
const LONGEST_LIFE_BLOCKS = 10_000n

/**
 * The last height at which `canNeverLand` may have to wait for a transaction on a blockhash that was just read: above what
 * two nodes (or the only one) report as final. A single node could name a height that is never reached. Null if too few
 * nodes answer.
 */
export async function readLongestLife(chain: Chain): Promise<bigint | null> {
  const heights = await askEachNode(chain, (node) => node.blockHeight('finalized'))
  const highestFirst = heights.toSorted((a, b) => Number(b - a))
  const agreed = highestFirst[quorumOf(chain) - 1]
  return agreed === undefined ? null : agreed + LONGEST_LIFE_BLOCKS
}

/** More than nodes that work are apart: an hour at 400 ms a slot and half an hour at the 200 ms of mainnet. */
const FURTHEST_APART_SLOTS = 10_000n

/**
 * The highest finalized slot of all nodes: with that of a lagging node, what it does not know yet would count as new.
 * `isLasting`: all nodes have answered, or all but one of three or more, so that of two that have once agreed one is among
 * them; and two (or the only one) are near that slot, so that no single node has invented one that is never reached. Rejects
 * with `ChainUnavailable` if none answers.
 */
export async function readHighestFinalSlot(chain: Chain): Promise<{ slot: bigint; isLasting: boolean }> {
  const slots = await askEachNode(chain, (node) => node.slot('finalized'))
  const slot = [await chain.slot('finalized'), ...slots].reduce((last, each) => (each > last ? each : last))
  const near = slots.filter((each) => slot - each <= FURTHEST_APART_SLOTS)
  return { slot, isLasting: near.length >= quorumOf(chain) && slots.length >= chain.nodes.length - 1 }
}

/**
 * Whether two nodes (or the only one) have finally reached this slot; null if fewer answer. One node alone could name a slot
 * in the future. A node that hangs is waited for only if fewer than two others have reached it.
 */
export async function isSlotReached(chain: Chain, slot: bigint): Promise<boolean | null> {
  const quorum = quorumOf(chain)
  const slots: bigint[] = []
  const isReached = (): boolean => slots.filter((each) => each >= slot).length >= quorum
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const all = askEachNode(chain, async (node) => {
    slots.push(await node.slot('finalized'))
    if (isReached()) resolve()
  })
  await Promise.race([enough, all])
  if (isReached()) return true
  return slots.length < quorum ? null : false
}

/**
 * A confirmed slot that the chain has reached: the lower of the first two answers. One node alone could name a slot in the
 * future. With one node, or if only one answers, its slot; null if none does.
 */
export async function readReachedSlot(chain: Chain): Promise<bigint | null> {
  const slots = await askFirstNodes(chain, (node) => node.slot('confirmed'))
  return slots.reduce<bigint | null>((low, slot) => (low === null || slot < low ? slot : low), null)
}

/**
 * Which of these nonce accounts exist finally at slot `notBefore` or later, on two nodes (or the only one); null if fewer
 * answer, or if only one of several shows an account: it may lie, and so may the others. At most 100.
 */
export async function findNonceAccounts(
  chain: Chain,
  nonceAccounts: readonly Address[],
  of: { notBefore: bigint },
): Promise<ReadonlySet<Address> | null> {
  const shown = await askEachNode(chain, (node) => node.nonceValues(nonceAccounts, 'finalized', of))
  const quorum = quorumOf(chain)
  const counts = nonceAccounts.map((_, at) => shown.filter((values) => Boolean(values[at])).length)
  if (shown.length < quorum || counts.some((count) => count > 0 && count < quorum)) return null
  return new Set(nonceAccounts.filter((_, at) => counts[at]! > 0))
}

/**
 * What the first two nodes that answer (or the only one) say, for what one node alone could hide. Null if fewer than two of
 * several answer.
 */
export async function askTwoNodes<T>(
  chain: Chain,
  ask: (node: Omit<ChainNode, 'host'>) => Promise<T>,
): Promise<T[] | null> {
  if (chain.nodes.length < QUORUM) return [await ask(chain)]
  const answers = await askFirstNodes(chain, ask)
  return answers.length < QUORUM ? null : answers
}

/** The responses of the first two nodes that answer. A node that hangs is waited for only if fewer than two others answer. */
async function askFirstNodes<T>(chain: Chain, ask: (node: ChainNode) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const all = askEachNode(chain, async (node) => {
    if (answers.push(await ask(node)) === QUORUM) resolve()
  })
  await Promise.race([enough, all])
  return answers.slice(0, QUORUM)
}

/** The responses of the nodes that answer. */
export async function askEachNode<T>(chain: Chain, ask: (node: ChainNode) => Promise<T>): Promise<T[]> {
  const answers = await Promise.allSettled(chain.nodes.map(ask))
  return answers.flatMap((answer) => {
    if (answer.status === 'fulfilled') return [answer.value]
    if (answer.reason instanceof ChainUnavailable) return []
    throw answer.reason
  })
}
