import type { NodeStatusChange } from '#server/chain/endpoints.ts'
import type { Rate } from '#server/chain/pace.ts'
import { type Chain, ChainUnavailable, type Cluster, WrongChain } from '#server/chain/port.ts'
import { connectChain } from '#server/chain/solana.ts'
import type { Config } from '#server/platform/config.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { OutageStartupError, PassingStartupError, StartupError } from '#server/platform/startup-error.ts'

/** The chain, token, treasury and cluster that this database belongs to. The signer stores them once. */
export type BoundChain = { genesisHash: string; mint: string; treasury: string; cluster: Cluster }

export const BOUND_CHAIN = 'chain'

const selectBoundChain = sql({
  name: 'chain-read-bound',
  params: { setting: 'text' },
  row: rowOf<{ value: BoundChain }>(),
  text: ({ setting }) => `select value from settings where name = ${setting}`,
})

/** The chain that this database is bound to, or null before the signer has bound it. */
export async function readBoundChain(db: Queryable): Promise<BoundChain | null> {
  const [row] = await db.rows(selectBoundChain, { setting: BOUND_CHAIN })
  return row?.value ?? null
}

/** Throws a `StartupError` if the chain, cluster or token is not the one that the database is bound to. */
export function assertBoundChain(
  boundChain: BoundChain,
  facts: Omit<BoundChain, 'treasury'>,
  { localChain = false } = {},
): void {
  if (boundChain.genesisHash !== facts.genesisHash) {
    throw new StartupError(
      localChain
        ? 'This database belongs to another chain than this local chain: set SOLANA_RPC_URL or DATA_DIR as its game has it, or start with a fresh database.'
        : 'SOLANA_RPC_URL is a node of another chain than the one that this database belongs to: use a node of that chain, or start a new game with another DATA_DIR or DATABASE_URL.',
    )
  }
  if (boundChain.cluster !== facts.cluster) {
    throw new StartupError(
      `CLUSTER is ${facts.cluster}, but this database belongs to a game on ${boundChain.cluster}: set CLUSTER=${boundChain.cluster} or remove it, or start with a fresh database.`,
    )
  }
  if (boundChain.mint !== facts.mint) {
    throw new StartupError(
      `COTTON_MINT is ${facts.mint}, but the ledger of this database is in the token ${boundChain.mint}.`,
    )
  }
}

export type ChainSettings = Pick<
  Config,
  'solanaRpcUrls' | 'cottonMint' | 'freezableToken' | 'cluster' | 'localChain'
> & {
  /** The limit of the calls to one node. The local chain is not limited. */
  rate?: Rate
}

/** The chain settings of the watcher, whose calls to nodes are limited. */
export const watcherChain = (config: Config): ChainSettings => ({
  ...config,
  rate: { perSecond: config.watcherCallsPerSecond },
})

/** How long a call that a player has caused may wait for its turn. */
const MAX_WAIT_MS = 5_000

/**
 * The chain settings of the api. Anybody can cause its calls, and without a limit one player could use up the plan of a node
 * that the signer needs for payouts.
 */
export const apiChain = (config: Config): ChainSettings => ({
  ...config,
  rate: { perSecond: config.apiCallsPerSecond, maxWaitMs: MAX_WAIT_MS },
})

/**
 * Connects to the configured chain. Throws a `StartupError` if the database is bound to another one, and one that may pass if
 * no node answers. Without `CLUSTER`, the bound cluster applies, so that every role uses the same rules. Failing nodes are
 * logged.
 */
export async function connectBoundChain(
  settings: ChainSettings,
  db: Queryable,
  log: Log | null = null,
): Promise<Chain> {
  return connectAsBound(await readBoundChain(db), settings, log)
}

/** `connectBoundChain` for what the database is bound to; null before the signer has bound it. */
export async function connectAsBound(
  boundChain: BoundChain | null,
  { solanaRpcUrls, cottonMint, freezableToken, cluster, localChain, rate }: ChainSettings,
  log: Log | null,
): Promise<Chain> {
  const logNodeChange = ({ host, why, restMs }: NodeStatusChange): void => {
    if (why === null) log?.info({ node: host }, 'Solana node is available again')
    else log?.warn({ node: host, why, restMs }, 'Solana node failed and is not used for a while')
  }
  const mint = cottonMint || undefined
  const mayFreeze = freezableToken === 'allowed'
  const hints = { cluster: cluster || undefined, boundCluster: boundChain?.cluster, isOwnChain: localChain }
  const chain = await connect(boundChain, {
    rpcUrls: solanaRpcUrls,
    mint,
    mayFreeze,
    rate: localChain ? undefined : rate,
    onNodeChange: logNodeChange,
    ...hints,
  })
  if (boundChain) assertBoundChain(boundChain, chain.facts, { localChain })
  return chain
}

async function connect(
  boundChain: BoundChain | null,
  of: Parameters<typeof connectChain>[0],
): Promise<Chain> {
  try {
    return await connectChain(of)
  } catch (error) {
    if (error instanceof WrongChain) throw new StartupError(error.message)
    if (!(error instanceof ChainUnavailable)) throw error
    // It names hosts, and no keys.
    const sentence = `SOLANA_RPC_URL does not answer: ${error.message}.`
    if (boundChain === null) throw new PassingStartupError(sentence)
    // Settings of another game are found without a node. Everything else is checked when one answers.
    const { genesisHash, mint, cluster } = boundChain
    assertBoundChain(boundChain, { genesisHash, mint: of.mint ?? mint, cluster: of.cluster ?? cluster })
    throw new OutageStartupError(sentence)
  }
}
