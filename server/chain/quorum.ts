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

/** How many nodes must say the same of what costs much, where the settings name that many. */
const QUORUM = 2

/**
 * What the nodes say of a final receipt when each is asked by itself: `agreed` when two show the same amount (or when
 * there is but one), `alone` while too few show it at all, `disagreed` when any of them shows another.
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
 * What a final transaction did, every account of our mint included, when two nodes (or the only one) show the same and
 * none that answers shows anything else; null while they do not. Rejects with `ChainUnavailable` when none answers.
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

function haveSameEffect(a: Receipt, b: Receipt): boolean {
  const effectOf = ({ amount, failed, changes }: Receipt): string =>
    JSON.stringify([failed, amount, changes], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  return effectOf(a) === effectOf(b)
}

/** What has become of a transaction: final for good, known to some node, or known to none that answers. */
export type TransactionOutcome = 'landed' | 'failed' | 'seen' | 'unseen'

/**
 * What has become of each transaction, in the order asked. It has landed or failed for good when two nodes (or the only
 * one) show that end as final and none shows the other end; while fewer do it is but seen. Each node is asked once for
 * all of them. Rejects with `ChainUnavailable` when none answers.
 */
export async function readOutcomes(
  chain: Chain,
  signatures: readonly Signature[],
): Promise<TransactionOutcome[]> {
  const of = { nodes: chain.nodes.length }
  return (await readStatuses(chain, signatures)).map((shown) => outcomeFrom(shown, of))
}

/**
 * The slot in which each transaction has landed for good, in the order asked: that in which two nodes (or the only one)
 * show it as final; null while fewer do, or while one shows it as failed. Rejects like `fatesOf`.
 */
export async function readLandedSlots(
  chain: Chain,
  signatures: readonly Signature[],
): Promise<(bigint | null)[]> {
  const of = { nodes: chain.nodes.length }
  return (await readStatuses(chain, signatures)).map((shown) => {
    if (outcomeFrom(shown, of) !== 'landed') return null
    const final = shown.filter((status) => status?.commitment === 'finalized')
    return findQuorumValue(
      final.map((status) => status!.slot),
      of,
    )
  })
}

/**
 * The final value of a nonce account as of slot `notBefore` or later, when two nodes (or the only one) show the same;
 * null while they do not, or while there is no such account. Rejects with `ChainUnavailable` when none answers.
 */
export async function readAgreedNonce(
  chain: Chain,
  nonceAccount: Address,
  of: { notBefore: bigint },
): Promise<Nonce | null> {
  if (chain.nodes.length < QUORUM) return chain.nonceValue(nonceAccount, 'finalized', of)
  const shown = await askEachNode(chain, (node) => node.nonceValue(nonceAccount, 'finalized', of))
  if (shown.length === 0) throw noNodeAnswered()
  return findQuorumValue(shown, { nodes: chain.nodes.length })
}

/** True when a nonce is not used up: on two nodes (or on the only one), and on every one that answers. */
export async function isNonceUnused(
  chain: Chain,
  { nonceAccount, nonce }: { nonceAccount: Address; nonce: Nonce },
): Promise<boolean> {
  const shown = await askEachNode(chain, (node) => node.nonceValue(nonceAccount, 'finalized'))
  return shown.length >= Math.min(QUORUM, chain.nodes.length) && shown.every((each) => each === nonce)
}

/** What each node that answers shows of a transaction, for each of them in the order asked. */
async function readStatuses(
  chain: Chain,
  signatures: readonly Signature[],
): Promise<(SignatureStatus | null)[][]> {
  const views = await askEachNode(chain, (node) => node.statuses(signatures))
  if (views.length === 0) throw noNodeAnswered()
  return signatures.map((_, at) => views.map((view) => view[at] ?? null))
}

const noNodeAnswered = () => new ChainUnavailable('No Solana node answers')

function findQuorumValue<T>(values: readonly T[], { nodes }: { nodes: number }): T | null {
  const enough = Math.min(QUORUM, nodes)
  return values.find((one) => values.filter((each) => each === one).length >= enough) ?? null
}

function outcomeFrom(
  shown: readonly (SignatureStatus | null)[],
  { nodes }: { nodes: number },
): TransactionOutcome {
  const seen = shown.filter((status) => status !== null)
  const ends = seen.filter((status) => status.commitment === 'finalized').map((status) => status.failed)
  if (ends.length < Math.min(QUORUM, nodes) || new Set(ends).size > 1)
    return seen.length > 0 ? 'seen' : 'unseen'
  return ends[0] ? 'failed' : 'landed'
}

/**
 * True when a transaction over a blockhash can never land: on at least two nodes (or on the only one) the finalized
 * height is past the last valid one, and no node that answers knows the signature. A node that lags or lies makes it
 * wait, never hurry.
 */
export async function canNeverLand(
  chain: Chain,
  { signature, lastValidBlockHeight }: { signature: Signature; lastValidBlockHeight: bigint },
): Promise<boolean> {
  const views = await askEachNode(chain, async (node) => {
    // Before the status: what had landed by this height shows in it.
    const height = await node.blockHeight('finalized')
    const [status] = await node.statuses([signature])
    return { over: height > lastValidBlockHeight, known: status !== null }
  })
  const enough = Math.min(QUORUM, chain.nodes.length)
  if (views.some((view) => view.known)) return false
  return views.filter((view) => view.over).length >= enough
}

/** The answers of those nodes that answer. */
export async function askEachNode<T>(chain: Chain, ask: (node: ChainNode) => Promise<T>): Promise<T[]> {
  const answers = await Promise.allSettled(chain.nodes.map(ask))
  return answers.flatMap((answer) => {
    if (answer.status === 'fulfilled') return [answer.value]
    if (answer.reason instanceof ChainUnavailable) return []
    throw answer.reason
  })
}
