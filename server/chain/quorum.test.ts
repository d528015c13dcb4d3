import { expect, test } from 'vitest'
import {
  areKnown,
  askTwoNodes,
  readAgreedNonce,
  readAgreedReceipt,
  canNeverLand,
  findNonceAccounts,
  type TransactionOutcome,
  readOutcomes,
  isNonceUnused,
  isSlotReached,
  readLandedSlots,
  readReachedSlot,
  checkReceiptQuorum,
} from './quorum.ts'
import {
  type Address,
  type Chain,
  type ChainNode,
  ChainUnavailable,
  type Nonce,
  type Receipt,
  type Signature,
  type SignatureStatus,
} from './port.ts'

const SIGNATURE = '2'.repeat(88) as Signature
const ACCOUNT = 'nonce-account' as Address
const OF = { owner: 'owner' as Address, tokenAccount: 'account' as Address }

const receipt = (amount: bigint, failed = false): Receipt => ({
  signature: SIGNATURE,
  slot: 9n,
  blockTime: null,
  failed,
  amount,
  lamports: 0n,
  lifetime: 'hash',
  unsupported: [],
  changes: [],
  accounts: [],
  isDerived: true,
})

type View =
  | {
      shows?: Receipt | null
      height?: bigint
      known?: boolean
      ended?: 'landed' | 'failed'
      slot?: bigint
      nonce?: string
      reached?: bigint
    }
  | 'silent'
  | 'hanging'

function chainOf(...views: View[]): Chain {
  const nodes = views.map((view, at): ChainNode => {
    const say = async <T>(value: (seen: Exclude<View, string>) => T): Promise<T> => {
      if (view === 'silent') throw new ChainUnavailable('no answer in time')
      if (view === 'hanging') return new Promise<T>(() => {})
      return value(view)
    }
    return {
      host: `node-${at}`,
      genesisHash: () => say(() => ''),
      receipt: () => say((seen) => seen.shows ?? null),
      blockHeight: () => say((seen) => seen.height ?? 0n),
      history: () => say(() => []),
      nonceValue: () => say((seen) => (seen.nonce ?? null) as Nonce | null),
      nonceValues: () => say((seen) => [(seen.nonce ?? null) as Nonce | null]),
      slot: () => say((seen) => seen.reached ?? 0n),
      statuses: () => say((seen) => [statusIn(seen)]),
    }
  })
  return { nodes } as unknown as Chain
}

function statusIn({ known = false, ended, slot = 1n }: Exclude<View, string>): SignatureStatus | null {
  if (ended) return { slot, commitment: 'finalized', failed: ended === 'failed' }
  return known ? { slot: 1n, commitment: 'confirmed', failed: false } : null
}

const seen = { shows: receipt(5n) }

test.each<[name: string, views: View[], verdict: Awaited<ReturnType<typeof checkReceiptQuorum>>]>([
  ['the only node shows it', [seen], 'agreed'],
  ['two show the same', [seen, seen], 'agreed'],
  ['two of three show the same, one is silent', [seen, 'silent', seen], 'agreed'],
  ['the second does not show it yet', [seen, { shows: null }], 'no_quorum'],
  ['the second is silent', [seen, 'silent'], 'no_quorum'],
  ['the second shows another amount', [seen, { shows: receipt(6n) }], 'disagreed'],
  ['the second shows a failure', [seen, { shows: receipt(5n, true) }], 'disagreed'],
  ['one of three shows another amount', [seen, seen, { shows: receipt(50n) }], 'disagreed'],
])('a large receipt where %s', async (_name, views, verdict) => {
  expect(await checkReceiptQuorum(chainOf(...views), receipt(5n), OF)).toBe(verdict)
})

test.each<[name: string, views: View[], isDead: boolean]>([
  ['the only node is past it and does not know it', [{ height: 151n }], true],
  ['the only node is at the last height', [{ height: 150n }], false],
  ['two nodes are past it', [{ height: 151n }, { height: 400n }], true],
  ['one of two lags', [{ height: 400n }, { height: 150n }], false],
  ['one of two is silent', [{ height: 400n }, 'silent'], false],
  ['one of three knows it', [{ height: 400n }, { height: 400n }, { height: 10n, known: true }], false],
])('a transaction is dead only when it can never land: %s', async (_name, views, isDead) => {
  const of = { signature: SIGNATURE, lastValidHeight: 150n }
  expect(await canNeverLand(chainOf(...views), [of])).toEqual([isDead])
})

test.each<[name: string, views: View[], outcome: TransactionOutcome]>([
  ['the only node shows it as final', [{ ended: 'landed' }], 'landed'],
  ['two show it as final', [{ ended: 'landed' }, { ended: 'landed' }], 'landed'],
  ['two of three do and one is silent', [{ ended: 'landed' }, 'silent', { ended: 'landed' }], 'landed'],
  ['two of three do and one knows nothing', [{ ended: 'landed' }, {}, { ended: 'landed' }], 'landed'],
  ['two show that it failed', [{ ended: 'failed' }, { ended: 'failed' }], 'failed'],
  ['one of two says final, the other knows nothing', [{ ended: 'landed' }, {}], 'seen'],
  ['one of two says final, the other confirmed', [{ ended: 'landed' }, { known: true }], 'seen'],
  ['one of two says final, the other is silent', [{ ended: 'landed' }, 'silent'], 'seen'],
  ['one of two says that it failed', [{ ended: 'failed' }, {}], 'seen'],
  [
    'the nodes show contradicting results',
    [{ ended: 'landed' }, { ended: 'landed' }, { ended: 'failed' }],
    'seen',
  ],
  ['one knows it and none shows it as final', [{}, { known: true }], 'seen'],
  ['no node that answers knows it', [{}, 'silent'], 'unseen'],
])('the outcome of a transaction where %s', async (_name, views, outcome) => {
  expect(await readOutcomes(chainOf(...views), [SIGNATURE])).toEqual([outcome])
})

test.each<[name: string, views: View[], isKnown: boolean]>([
  ['the only node knows it', [{ known: true }], true],
  ['the only node does not', [{}], false],
  ['two know it', [{ known: true }, { ended: 'landed' }], true],
  ['one of three knows it', [{ known: true }, {}, {}], false],
  ['one of two knows it and one is silent', [{ known: true }, 'silent'], false],
  ['two know it and one hangs', ['hanging', { known: true }, { known: true }], true],
])('a transaction is known if two nodes know it, or the only one: %s', async (_name, views, isKnown) => {
  const chain = chainOf(...views)
  const statuses = chain.nodes[0]!.statuses
  expect(await areKnown({ ...chain, statuses }, [SIGNATURE])).toEqual([isKnown])
})

const landed = (slot: bigint): View => ({ ended: 'landed', slot })

test.each<[name: string, views: View[], slot: bigint | null]>([
  ['two show it', [landed(7n), landed(7n)], 7n],
  ['one of three shows another slot', [landed(900n), landed(7n), landed(7n)], 7n],
  ['two show two slots', [landed(900n), landed(7n)], null],
  ['one of two knows nothing', [landed(7n), {}], null],
  ['one of two is silent', [landed(7n), 'silent'], null],
  ['one of three says that it failed', [landed(7n), landed(7n), { ended: 'failed', slot: 7n }], null],
])('the slot of a landed transaction where %s', async (_name, views, slot) => {
  expect(await readLandedSlots(chainOf(...views), [SIGNATURE])).toEqual([slot])
})

const [A, B] = [{ nonce: 'A' }, { nonce: 'B' }]

test.each<[name: string, views: View[], nonce: string | null, unused: boolean]>([
  ['two show it', [A, A], 'A', true],
  ['one of three shows another', [B, A, A], 'A', false],
  ['two show different ones', [A, B], null, false],
  ['one of two is silent', [A, 'silent'], null, false],
  ['one of three is silent', [A, 'silent', A], 'A', true],
  ['no node shows any', [{}, {}], null, false],
])('the nonce of a lane where %s', async (_name, views, nonce, unused) => {
  const chain = chainOf(...views)
  expect(await readAgreedNonce(chain, ACCOUNT, { notBefore: 0n })).toBe(nonce)
  const of = { nonceAccount: ACCOUNT, nonce: 'A' as Nonce, notBefore: 0n }
  expect(await isNonceUnused(chain, of)).toBe(unused)
})

test.each<[name: string, views: View[], exists: boolean | null]>([
  ['the only node shows it', [A], true],
  ['two show it', [A, A], true],
  ['two of three show it', [A, {}, A], true],
  ['no node shows it', [{}, {}], false],
  ['one of two shows it', [A, {}], null],
  ['one of three shows it', [{}, A, {}], null],
  ['one of two is silent', [A, 'silent'], null],
])('whether a nonce account exists where %s', async (_name, views, exists) => {
  const found = await findNonceAccounts(chainOf(...views), [ACCOUNT], { notBefore: 0n })
  expect(found && found.has(ACCOUNT)).toBe(exists)
})

test.each<[name: string, views: View[], slot: bigint | null]>([
  ['the first of two claims a later one', [{ reached: 900n }, { reached: 7n }], 7n],
  ['the second of two claims a later one', [{ reached: 7n }, { reached: 900n }], 7n],
  ['one of two is silent', ['silent', { reached: 7n }], 7n],
  ['one of three hangs', ['hanging', { reached: 8n }, { reached: 7n }], 7n],
  ['all are silent', ['silent', 'silent'], null],
])('the slot that the chain has reached where %s', async (_name, views, slot) => {
  expect(await readReachedSlot(chainOf(...views))).toBe(slot)
})

test.each<[name: string, views: View[], isReached: boolean | null]>([
  ['the only node has reached it', [{ reached: 7n }], true],
  ['the only node has not', [{ reached: 6n }], false],
  ['only one of two claims it', [{ reached: 6n }, { reached: 900n }], false],
  ['one of three lags', [{ reached: 1n }, { reached: 8n }, { reached: 7n }], true],
  ['one of three hangs', ['hanging', { reached: 8n }, { reached: 7n }], true],
  ['one of two is silent', ['silent', { reached: 7n }], null],
])('whether two nodes have reached a slot where %s', async (_name, views, isReached) => {
  expect(await isSlotReached(chainOf(...views), 7n)).toBe(isReached)
})

test.each<[name: string, views: View[], slots: bigint[] | null]>([
  ['all of three answer', [{ reached: 7n }, { reached: 8n }, { reached: 9n }], [7n, 8n]],
  ['one of three is silent', ['silent', { reached: 8n }, { reached: 7n }], [8n, 7n]],
  ['one of three hangs', ['hanging', { reached: 8n }, { reached: 7n }], [8n, 7n]],
  ['one of two is silent', ['silent', { reached: 7n }], null],
  ['all are silent', ['silent', 'silent'], null],
])('what two nodes say where %s', async (_name, views, slots) => {
  expect(await askTwoNodes(chainOf(...views), (node) => node.slot('confirmed'))).toEqual(slots)
})

test('all reads reject if no node answers', async () => {
  const silent = chainOf('silent', 'silent')
  await expect(readOutcomes(silent, [SIGNATURE])).rejects.toThrow(ChainUnavailable)
  await expect(readLandedSlots(silent, [SIGNATURE])).rejects.toThrow(ChainUnavailable)
  await expect(readAgreedNonce(silent, ACCOUNT, { notBefore: 0n })).rejects.toThrow(ChainUnavailable)
})

test('a receipt counts only if two nodes report the same one, with every account of our mint', async () => {
  const whole = receipt(5n)
  const elsewhere: Receipt = { ...whole, changes: [{ account: ACCOUNT, owner: OF.owner, amount: 5n }] }
  const readAgreed = (...views: View[]) => readAgreedReceipt(chainOf(...views), SIGNATURE, OF)
  expect(await readAgreed({ shows: whole }, { shows: receipt(5n) })).toEqual(whole)
  expect(await readAgreed({ shows: whole }, { shows: whole }, 'silent')).toEqual(whole)
  expect(await readAgreed({ shows: whole }, { shows: whole }, { shows: null })).toEqual(whole)
  expect(await readAgreed({ shows: whole }, { shows: null })).toBeNull()
  expect(await readAgreed({ shows: whole }, 'silent')).toBeNull()
  expect(await readAgreed({ shows: whole }, { shows: whole }, { shows: receipt(6n) })).toBeNull()
  expect(await readAgreed({ shows: whole }, { shows: elsewhere })).toBeNull()
  expect(await readAgreed({ shows: whole }, { shows: { ...whole, lifetime: 'another' } })).toBeNull()
  await expect(readAgreed('silent', 'silent')).rejects.toThrow(ChainUnavailable)
})
