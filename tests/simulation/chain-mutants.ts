import type { Mutant } from './mutants.ts'

/** Bugs of a quorum, which need two nodes with different lies, and of tokens that are not the game's. */
export const CHAIN_MUTANTS: readonly Mutant[] = [
  {
    name: 'd3-two-answers-need-not-agree',
    edits: [
      {
        file: 'server/chain/quorum.ts',
        find: 'if (seen.some((each) => each.amount !== receipt.amount || each.failed !== receipt.failed))',
        replace: 'if (seen.some((each) => each.failed !== receipt.failed))',
      },
    ],
  },
  {
    name: 'w1-two-ends-need-not-agree',
    edits: [
      {
        file: 'server/chain/quorum.ts',
        find: ' || new Set(ends).size > 1)',
        replace: ')',
      },
    ],
  },
  {
    name: 'w2-single-node',
    foundBy: ['server/chain/quorum.test.ts'],
    edits: [
      {
        file: 'server/chain/quorum.ts',
        find: '  const views = await askEachNode(chain, async (node) => {\n    // Read before the statuses',
        replace:
          '  const views = await askEachNode({ ...chain, nodes: chain.nodes.slice(0, 1) }, async (node) => {\n    // Read before the statuses',
      },
      {
        file: 'server/chain/quorum.ts',
        find: 'views.filter(({ height }) => height > lastValidHeight).length >= quorumOf(chain)',
        replace: 'views.filter(({ height }) => height > lastValidHeight).length >= 1',
      },
    ],
  },
  {
    name: 'w2-one-height-is-enough',
    foundBy: ['server/chain/quorum.test.ts'],
    edits: [
      {
        file: 'server/chain/quorum.ts',
        find: 'views.filter(({ height }) => height > lastValidHeight).length >= quorumOf(chain)',
        replace:
          'views.filter(({ height }) => height > lastValidHeight).length >= Math.min(1, quorumOf(chain))',
      },
    ],
  },
  {
    name: 'x1-any-token-is-credited',
    edits: [
      {
        file: 'server/chain/receipts.ts',
        find: '    const row = byAccount.get(of.tokenAccount)\n    return row?.mint === of.facts.mint && row.tokenProgram === of.facts.tokenProgram ? row.amount : 0n',
        replace: '    return [...byAccount.values()].reduce((sum, row) => sum + row.amount, 0n)',
      },
    ],
  },
  {
    name: 'x1-sol-is-not-recorded',
    edits: [
      {
        file: 'server/deposits/record-unclaimed.ts',
        find: 'if (receipt.lamports <= 0n) return tokens',
        replace: 'if (receipt.lamports > 0n) return tokens',
      },
    ],
  },
  {
    name: 'x1-known-accounts-are-not-read',
    edits: [
      {
        file: 'server/deposits/watch-foreign-accounts.ts',
        find: '  await scanKnownAccounts(deps, progress)\n',
        replace: '',
      },
      {
        file: 'server/deposits/watch-foreign-accounts.ts',
        find: '  await scanOwners(deps, progress)\n',
        replace: '',
      },
    ],
  },
]
