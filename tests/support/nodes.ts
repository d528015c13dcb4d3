import type { Chain, ChainNode } from '#server/chain/port.ts'

/** A node that responds like the chain, except for the given methods. */
export function createNode(chain: Chain, overrides: Partial<ChainNode> = {}): ChainNode {
  const { genesisHash, slot, blockHeight, history, statuses, receipt, nonceValue, nonceValues } = chain
  const node = { genesisHash, slot, blockHeight, history, statuses, receipt, nonceValue, nonceValues }
  return { host: 'node', ...node, ...overrides }
}

/** The same chain with a single node, which responds like the chain. */
export function withOneNode(chain: Chain): Chain {
  return { ...chain, nodes: [createNode(chain)] }
}
