import type { NodeNews } from '#server/chain/endpoints.ts'
import {
  type Chain,
  type ChainFacts,
  ChainUnavailable,
  type Cluster,
  WrongChain,
} from '#server/chain/port.ts'
import { connectChain } from '#server/chain/solana.ts'
import type { Config } from '#server/platform/config.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { StartProblem } from '#server/platform/start-problem.ts'

/**
 * The chain, token and treasury that these books belong to, and whose rules hold on it; the signer writes them down
 * once. Books of earlier versions name no cluster until the signer has started.
 */
export type OwnChain = { genesisHash: string; mint: string; treasury: string; cluster?: Cluster }

export const OWN_CHAIN = 'chain'

const readOwn = sql('chain-read-own', 'select value from settings where name = $1')

/** What the books say about their chain, null while they do not belong to one. */
export async function readOwnChain(db: Tx): Promise<OwnChain | null> {
  const [row] = await db.rows<{ value: OwnChain }>(readOwn, [OWN_CHAIN])
  return row?.value ?? null
}

/** Refuses to start (one sentence) on another chain, cluster or token than the one that the books belong to. */
export function assertOwnChain(
  own: OwnChain,
  facts: Pick<ChainFacts, 'genesisHash' | 'mint' | 'cluster'>,
): void {
  if (own.genesisHash !== facts.genesisHash) {
    throw new StartProblem(
      'SOLANA_RPC_URL leads to another chain than the one that this database belongs to: give it back its chain, or start with a fresh database.',
    )
  }
  if (own.cluster !== undefined && own.cluster !== facts.cluster) {
    throw new StartProblem(
      `CLUSTER is ${facts.cluster}, but this database belongs to a game on ${own.cluster}: set CLUSTER=${own.cluster} or leave it out, or start with a fresh database.`,
    )
  }
  if (own.mint !== facts.mint) {
    throw new StartProblem(
      `COTTON_MINT is ${facts.mint}, but the books of this database are kept in ${own.mint}.`,
    )
  }
}

type ChainSettings = Pick<
  Config,
  'solanaRpcUrls' | 'cottonMint' | 'freezableToken' | 'cluster' | 'localChain'
>

/**
 * Connects to the chain of the settings, and refuses to start where it is not the one of the books. Where `CLUSTER` says
 * nothing, the cluster of the books holds, so that every role goes by the same rules. The log hears of nodes that fail.
 */
export async function connectOwnChain(
  { solanaRpcUrls, cottonMint, freezableToken, cluster, localChain }: ChainSettings,
  db: Tx,
  log: Log | null = null,
): Promise<Chain> {
  const tell = ({ host, why, restMs }: NodeNews): void => {
    if (why === null) log?.info({ node: host }, 'a Solana node serves again')
    else log?.warn({ node: host, why, restMs }, 'a Solana node is left alone for a while')
  }
  const mint = cottonMint || undefined
  const mayFreeze = freezableToken === 'allowed'
  const own = await readOwnChain(db)
  const hints = { cluster: cluster || own?.cluster, isOwnChain: localChain }
  const chain = await connect({ rpcUrls: solanaRpcUrls, mint, mayFreeze, tell, ...hints })
  if (own) assertOwnChain(own, chain.facts)
  return chain
}

async function connect(of: Parameters<typeof connectChain>[0]): Promise<Chain> {
  try {
    return await connectChain(of)
  } catch (error) {
    if (error instanceof WrongChain) throw new StartProblem(error.message)
    if (error instanceof ChainUnavailable) {
      throw new StartProblem('SOLANA_RPC_URL does not answer: no node of the chain could be reached.')
    }
    throw error
  }
}
