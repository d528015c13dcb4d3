import type { Chain, ChainNode } from '#server/chain/port.ts'

/** The node that says what the chain says, but for what is said otherwise. */
export function createNode(chain: Chain, overrides: Partial<ChainNode> = {}): ChainNode {
  const { genesisHash, slot, blockHeight, statuses, receipt, nonceValue } = chain
  return { host: 'node', genesisHash, slot, blockHeight, statuses, receipt, nonceValue, ...overrides }
}

/** A chain with one node behind it, so that whatever is said otherwise is said by all there is. */
export function withOneNode(chain: Chain): Chain {
  return { ...chain, nodes: [createNode(chain)] }
}
