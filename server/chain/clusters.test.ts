import { expect, test } from 'vitest'
import { clusterOf, explorerOf } from './clusters.ts'
import { WrongChain } from './port.ts'

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const UNKNOWN = '9tUvqYjKcdGcDNPTvNqSTbCDXzuR8tBNLSWFbDdUu5Ra'

test('an unknown chain has the strict rules, unless the supervisor started it or the operator names other rules', () => {
  expect(clusterOf(UNKNOWN, {})).toBe('private')
  expect(clusterOf(UNKNOWN, { isOwnChain: true })).toBe('local')
  expect(clusterOf(UNKNOWN, { configured: 'local' })).toBe('local')
})

test('a private or local chain uses the rules that the operator names', () => {
  expect(clusterOf(UNKNOWN, { configured: 'devnet' })).toBe('devnet')
  expect(clusterOf(UNKNOWN, { configured: 'mainnet', isOwnChain: true })).toBe('mainnet')
  expect(explorerOf(UNKNOWN)).toBeNull()
})

test('a public cluster is recognised by its genesis hash, and contradicting settings are refused', () => {
  expect(clusterOf(MAINNET, {})).toBe('mainnet')
  expect(clusterOf(MAINNET, { configured: 'mainnet' })).toBe('mainnet')
  expect(explorerOf(DEVNET)).toContain('cluster=devnet')
  for (const hints of [{ configured: 'local' }, { configured: 'devnet' }, { isOwnChain: true }] as const)
    expect(() => clusterOf(MAINNET, hints)).toThrow(WrongChain)
})

test('the cluster of the database counts for a chain that its hash does not name, and contradicts no hash', () => {
  expect(clusterOf(UNKNOWN, { bound: 'devnet', isOwnChain: true })).toBe('devnet')
  expect(clusterOf(UNKNOWN, { configured: 'mainnet', bound: 'devnet' })).toBe('mainnet')
  expect(clusterOf(DEVNET, { bound: 'local' })).toBe('devnet')
})
