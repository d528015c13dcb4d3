import { expect, test } from 'vitest'
import { canNeverLand, witness } from './agree.ts'
import {
  type Address,
  type Chain,
  type ChainNode,
  ChainUnavailable,
  type Receipt,
  type Signature,
} from './port.ts'

const SIGNATURE = '2'.repeat(88) as Signature
const OF = { owner: 'owner' as Address, tokenAccount: 'account' as Address }

const receipt = (amount: bigint, failed = false): Receipt => ({
  signature: SIGNATURE,
  slot: 9n,
  blockTime: null,
  failed,
  amount,
  lamports: 0n,
  lifetime: 'hash',
  strays: [],
})

type View = { shows?: Receipt | null; height?: bigint; known?: boolean } | 'silent'

function chainOf(...views: View[]): Chain {
  const nodes = views.map((view, at): ChainNode => {
    const say = async <T>(value: (seen: Exclude<View, 'silent'>) => T): Promise<T> => {
      if (view === 'silent') throw new ChainUnavailable('no answer in time')
      return value(view)
    }
    return {
      host: `node-${at}`,
      receipt: () => say((seen) => seen.shows ?? null),
      blockHeight: () => say((seen) => seen.height ?? 0n),
      nonceValue: () => say(() => null),
      slot: () => say(() => 0n),
      statuses: () =>
        say((seen) => [seen.known ? { slot: 1n, commitment: 'processed' as const, failed: false } : null]),
    }
  })
  return { nodes } as unknown as Chain
}

const seen = { shows: receipt(5n) }

test.each<[says: string, views: View[], verdict: Awaited<ReturnType<typeof witness>>]>([
  ['one node is all there is', [seen], 'agreed'],
  ['two show the same', [seen, seen], 'agreed'],
  ['two of three show the same, one is silent', [seen, 'silent', seen], 'agreed'],
  ['the second does not show it yet', [seen, { shows: null }], 'alone'],
  ['the second is silent', [seen, 'silent'], 'alone'],
  ['the second shows another amount', [seen, { shows: receipt(6n) }], 'disagreed'],
  ['the second shows a failure', [seen, { shows: receipt(5n, true) }], 'disagreed'],
  ['one of three shows another amount', [seen, seen, { shows: receipt(50n) }], 'disagreed'],
])('a large receipt where %s', async (_says, views, verdict) => {
  expect(await witness(chainOf(...views), receipt(5n), OF)).toBe(verdict)
})

test.each<[says: string, views: View[], over: boolean]>([
  ['the only node is past it and does not know it', [{ height: 151n }], true],
  ['the only node stands at the last height', [{ height: 150n }], false],
  ['two nodes are past it', [{ height: 151n }, { height: 400n }], true],
  ['one of two lags', [{ height: 400n }, { height: 150n }], false],
  ['one of two is silent', [{ height: 400n }, 'silent'], false],
  ['one of three knows it', [{ height: 400n }, { height: 400n }, { height: 10n, known: true }], false],
])('a transaction is over only when it can never land: %s', async (_says, views, over) => {
  const of = { signature: SIGNATURE, lastValidBlockHeight: 150n }
  expect(await canNeverLand(chainOf(...views), of)).toBe(over)
})
