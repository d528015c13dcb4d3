import type { Cluster } from './port.ts'

const BY_GENESIS_HASH: Record<string, Cluster> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
}

const EXPLORERS: Record<Cluster, string | null> = {
  local: null,
  mainnet: 'https://explorer.solana.com/tx/{signature}',
  devnet: 'https://explorer.solana.com/tx/{signature}?cluster=devnet',
  testnet: 'https://explorer.solana.com/tx/{signature}?cluster=testnet',
}

/** The public cluster that began with this genesis block; any other is somebody's local chain. */
export function clusterOf(genesisHash: string): Cluster {
  return BY_GENESIS_HASH[genesisHash] ?? 'local'
}

export function explorerOf(cluster: Cluster): string | null {
  return EXPLORERS[cluster]
}
