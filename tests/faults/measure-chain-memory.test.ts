/** @module-tag variant */
import { expect, test } from 'vitest'
import { CHAIN_LEAK, measureChainMemory } from './measure-chain-memory.ts'

test(
  'a local chain that stores every transaction in memory is seen to grow',
  { timeout: 120_000 },
  async () => {
    const { verdict, megabytes } = await measureChainMemory(400, [CHAIN_LEAK])
    expect(verdict, megabytes.join(' ')).toBe('grows')
  },
)
