import { WrongChain, type Cluster } from './port.ts'

const BY_GENESIS_HASH: Record<string, Cluster> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
}

const EXPLORERS: Partial<Record<Cluster, string>> = {
  mainnet: 'https://explorer.solana.com/tx/{signature}',
  devnet: 'https://explorer.solana.com/tx/{signature}?cluster=devnet',
  testnet: 'https://explorer.solana.com/tx/{signature}?cluster=testnet',
}

/** What is known about the chain apart from its genesis hash. */
export type ClusterHints = {
  /** `CLUSTER`. */
  configured?: Cluster | undefined
  /** The cluster that the ledger is bound to. */
  bound?: Cluster | undefined
  /** The supervisor started this chain itself. */
  isOwnChain?: boolean | undefined
}

/**
 * The cluster whose rules apply to the chain of this genesis hash. A public cluster is recognised by the hash; if the
 * settings name another, this rejects with `WrongChain`. Any other chain is what the operator states, else what the ledger is
 * bound to, else `local` if the supervisor started it, else `private`: its tokens may have value, so the strict rules apply.
 */
export function clusterOf(genesisHash: string, { configured, bound, isOwnChain }: ClusterHints): Cluster {
  const known = BY_GENESIS_HASH[genesisHash]
  if (known === undefined) return configured ?? bound ?? (isOwnChain ? 'local' : 'private')
  const expected = configured ?? (isOwnChain ? 'local' : known)
  if (expected !== known)
    throw new WrongChain(`SOLANA_RPC_URL leads to ${known}, but CLUSTER is ${expected}.`)
  return known
}

/** The explorer URL of a transaction; null on chains that no public explorer covers, whatever `CLUSTER` is. */
export function explorerOf(genesisHash: string): string | null {
  const known = BY_GENESIS_HASH[genesisHash]
  return (known && EXPLORERS[known]) ?? null
}
