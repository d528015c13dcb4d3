import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import { getInitializeMint2Instruction } from '@solana-program/token'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '#local-chain/test-chain.ts'
import { fakeNodes } from '#tests/support/fake-nodes.ts'
import { ChainUnavailable, memoTexts, WrongChain, type Address, type Signature, type Wire } from './port.ts'
import { connectChain } from './solana.ts'
import { readUnitPrice } from './unit-price.ts'
import { TOKEN_2022_PROGRAM_ADDRESS } from './token-accounts.ts'

let world: TestChain
let payer: KeyPairSigner

beforeAll(async () => {
  world = await startTestChain()
  payer = await world.wallet()
})
afterAll(() => world.stop())

const fakeNode = fakeNodes(() => world.url)

test('each node can be called separately; equal URLs, also with a last slash, are one node', async () => {
  const chain = await connectChain({
    isOwnChain: true,
    rpcUrls: [world.url, `${world.url}/`, 'http://127.0.0.1:9'],
    timeoutMs: 1_000,
  })
  expect(chain.nodes).toHaveLength(2)
  expect(await chain.nodes[0]!.blockHeight('finalized')).toBeGreaterThan(0n)
  await expect(chain.nodes[1]!.blockHeight('finalized')).rejects.toBeInstanceOf(ChainUnavailable)
})

test('a node behind the requested slot is unavailable and does not report an empty history', async () => {
  const known = (await world.chain.history(payer.address, { limit: 1, commitment: 'finalized' }))[0]!
  const page = { limit: 1, commitment: 'finalized', notBefore: known.slot + 10n ** 9n } as const
  await expect(world.chain.history(payer.address, page)).rejects.toBeInstanceOf(ChainUnavailable)
  expect(await world.chain.history(payer.address, { ...page, notBefore: known.slot })).toHaveLength(1)
})

test.each([
  { version: 1, newest: 1, wanted: [0, 1] },
  { version: 3, newest: 127, wanted: [0, 1, 127] },
])('a transaction of version $version is read from a node that accepts versions to $newest', async (of) => {
  const wanted: number[] = []
  const meta = { err: null, preBalances: [], postBalances: [] }
  const transaction = { message: { accountKeys: [] }, signatures: ['1'.repeat(64)] }
  const result = { slot: 7, blockTime: 1, version: of.version, meta, transaction }
  const front = await fakeNode(
    () => 200,
    (method, params) => {
      if (method !== 'getTransaction') return null
      const { maxSupportedTransactionVersion: asked } = params[1] as Record<string, number>
      wanted.push(asked!)
      if (asked! > of.newest) return { error: { code: -32602, message: 'Invalid params' } }
      const message = `Transaction version (${of.version}) is not supported by the requesting client.`
      return asked! < of.version ? { error: { code: -32015, message } } : { result }
    },
  )
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [front, world.url] })
  const owned = { owner: payer.address, tokenAccount: payer.address }
  const receipt = await chain.receipt('1'.repeat(64) as Signature, owned, 'finalized')
  expect(receipt).toMatchObject({ failed: false })
  expect(wanted).toEqual(of.wanted)
})

test('when no node answers, reads reject and a send is unknown, naming hosts but no keys', async () => {
  let status = 200
  const url = await fakeNode(() => status, world.url)
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [`${url}/?api-key=secret`] })
  expect(await chain.slot('processed')).toBeGreaterThan(0n)
  status = 503
  const reading = chain.slot('finalized')
  await expect(reading).rejects.toBeInstanceOf(ChainUnavailable)
  await expect(reading).rejects.toThrow(/127\.0\.0\.1:\d+: HTTP 503/)
  await expect(reading).rejects.not.toThrow('secret')
  expect(await chain.send('AAAA' as Wire)).toMatchObject({ state: 'unknown' })
})

test('a node of another chain stops the start, and is never used if it responds later', async () => {
  const other = await startTestChain()
  try {
    const mixed = connectChain({ isOwnChain: true, rpcUrls: [world.url, other.url] })
    await expect(mixed).rejects.toThrow(/^SOLANA_RPC_URL mixes chains: 127\.0\.0\.1:\d+ is on another one\.$/)
    const status = { first: 200, late: 503 }
    const first = await fakeNode(() => status.first, world.url)
    const late = await fakeNode(() => status.late, other.url)
    const chain = await connectChain({ isOwnChain: true, rpcUrls: [first, late] })
    expect(chain.facts).toEqual(world.chain.facts)
    Object.assign(status, { first: 503, late: 200 })
    await expect(chain.lamports(payer.address, 'finalized')).rejects.toThrow('it is on another chain')
    status.first = 200
    expect(await chain.lamports(payer.address, 'finalized')).toBeGreaterThan(0n)
  } finally {
    await other.stop()
  }
})

test('a start on the wrong chain or mint is refused with one sentence', async () => {
  const nobody = (await generateKeyPairSigner()).address
  expect(await refused({ mint: nobody })).toBe(`COTTON_MINT: there is no account ${nobody} on this chain.`)
  expect(await refused({ mint: payer.address })).toBe(
    `COTTON_MINT: ${payer.address} is not the mint of an SPL token.`,
  )
  expect(await refused({ mint: 'cotton' })).toBe('COTTON_MINT is not a Solana address: cotton')
  expect(await refused({ rpcUrls: ['ftp://x'] })).toMatch(/^SOLANA_RPC_URL must be/)
  const nine = await makeMint(9)
  expect(await refused({ mint: nine })).toBe(`COTTON_MINT: ${nine} has 9 decimals, $COTTON has 6.`)
  const devnet = await fakeNode(
    () => 200,
    () => ({ result: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' }),
  )
  for (const of of [{ cluster: 'mainnet' }, { cluster: 'local' }] as const)
    expect(await refused({ rpcUrls: [devnet], ...of })).toBe(
      `SOLANA_RPC_URL leads to devnet, but CLUSTER is ${of.cluster}.`,
    )
  expect(await refused({ rpcUrls: [devnet], isOwnChain: true })).toContain('but CLUSTER is local')
  expect(await refused({ rpcUrls: [devnet] })).toBe('COTTON_MINT is missing: name the mint of $COTTON.')
})

test('a Token-2022 mint is accepted if it is plain or only has metadata', async () => {
  const plain = await makeMint(6, TOKEN_2022_PROGRAM_ADDRESS)
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [world.url], mint: plain })
  expect(chain.facts).toMatchObject({ mint: plain, tokenProgram: TOKEN_2022_PROGRAM_ADDRESS })
  // MetadataPointerExtension (39), Initialize (0): an authority, no address
  const pointer = { bytes: 64, data: [39, 0, ...ones(32), ...zeros(32)] }
  const named = await makeMint(6, TOKEN_2022_PROGRAM_ADDRESS, pointer)
  expect((await connectChain({ isOwnChain: true, rpcUrls: [world.url], mint: named })).facts.mint).toBe(named)
})

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)
const ones = (count: number): number[] => Array.from({ length: count }, () => 1)

// Token-2022: the extension's number, its size in bytes, and the instruction that creates it.
test.each<[name: string, number: number, extension: Extension]>([
  ['taxes transfers', 1, { bytes: 108, data: [26, 0, 0, 0, 100, 0, ...zeros(8).fill(255)] }],
  ['can be closed', 3, { bytes: 32, data: [25, 1, ...ones(32)] }],
  ['cannot be passed on', 9, { bytes: 0, data: [32] }],
  ['begins every account frozen', 6, { bytes: 1, data: [28, 0, 2], freezer: true }],
  ['bears interest', 10, { bytes: 52, data: [33, 0, ...zeros(32), 5, 0] }],
  ['a permanent delegate', 12, { bytes: 32, data: [35, ...ones(32)] }],
  ['asks another program about transfers', 14, { bytes: 64, data: [36, 0, ...zeros(32), ...ones(32)] }],
])('a mint that %s stops the start', async (_what, number, extension) => {
  const mint = await makeMint(6, TOKEN_2022_PROGRAM_ADDRESS, extension)
  expect(await refused({ mint })).toBe(
    `COTTON_MINT: ${mint} has token extensions we do not support (${number}).`,
  )
})

test('a token with a freeze authority stops the start where tokens have value, unless it is allowed', async () => {
  const mint = await makeMint(6, undefined, { bytes: 0, data: [], freezer: true })
  const devnet = await fakeNode(
    () => 200,
    (method) =>
      method === 'getGenesisHash' ? { result: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' } : null,
  )
  expect(await refused({ rpcUrls: [devnet], mint })).toBe(
    `COTTON_MINT: ${payer.address} can freeze every account of ${mint}, the treasury's too. Set FREEZABLE_TOKEN=allowed if you trust the owner of that key.`,
  )
  const allowed = await connectChain({ rpcUrls: [devnet], mint, mayFreeze: true })
  expect(allowed.facts).toMatchObject({ mint, cluster: 'devnet' })
  const plain = await makeMint(6)
  expect((await connectChain({ rpcUrls: [devnet], mint: plain })).facts.mint).toBe(plain)
  expect((await connectChain({ isOwnChain: true, rpcUrls: [world.url], mint })).facts.mint).toBe(mint)
})

test('more than 256 signatures are read in several requests', async () => {
  const known = (await world.chain.history(payer.address, { limit: 1, commitment: 'finalized' }))[0]!
    .signature
  const unknown = '1'.repeat(64) as Signature
  const statuses = await world.chain.statuses([...Array<Signature>(300).fill(unknown), known])
  expect(statuses.slice(0, 300).every((status) => status === null)).toBe(true)
  expect(statuses[300]).toMatchObject({ failed: false, commitment: 'finalized' })
})

test('an answer with fewer accounts or statuses than were asked for counts as none', async () => {
  const short = ['getMultipleAccounts', 'getSignatureStatuses']
  const front = await fakeNode(
    () => 200,
    (method) => (short.includes(method) ? { result: { context: { slot: 10 ** 9 }, value: [] } } : null),
  )
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [front] })
  const reads = [
    chain.tokenAccounts([payer.address]),
    chain.tokenBalances([payer.address], { notBefore: 0n }),
    chain.nonceValue(payer.address, 'finalized'),
    chain.statuses(['1'.repeat(64) as Signature]),
  ]
  for (const read of await Promise.allSettled(reads))
    expect(read).toMatchObject({ status: 'rejected', reason: expect.any(ChainUnavailable) })
})

test('a transaction without a commitment is read, and an answer that leaves out its outcome counts as none', async () => {
  const signature = '1'.repeat(64) as Signature
  let outcome: object = { err: null }
  const front = await fakeNode(
    () => 200,
    (method) => {
      const answers: Record<string, object> = {
        getSignaturesForAddress: { result: [{ signature, slot: 7, ...outcome }] },
        getSignatureStatuses: { result: { context: { slot: 7 }, value: [{ slot: 7, ...outcome }] } },
      }
      return answers[method] ?? null
    },
  )
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [front] })
  const query = { limit: 1, commitment: 'finalized' } as const
  expect(await chain.history(payer.address, query)).toEqual([
    { signature, slot: 7n, failed: false, memo: null, commitment: null },
  ])
  expect(await chain.statuses([signature])).toEqual([{ slot: 7n, failed: false, commitment: 'finalized' }])
  outcome = {}
  // A payout that passes for failed would not be found in the treasury's history.
  const reads = [chain.history(payer.address, query), chain.statuses([signature])]
  for (const read of await Promise.allSettled(reads))
    expect(read).toMatchObject({ status: 'rejected', reason: expect.any(ChainUnavailable) })
})

test('a negative price of a unit counts as none', async () => {
  const front = await fakeNode(
    () => 200,
    (method) =>
      method === 'getRecentPrioritizationFees' ? { result: [{ slot: 7, prioritizationFee: -1 }] } : null,
  )
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [front] })
  await expect(chain.unitPrice([payer.address])).rejects.toBeInstanceOf(ChainUnavailable)
  expect(await readUnitPrice(chain, payer.address)).toBe(0n)
})

test('memos are read by their byte counts, so one memo cannot pass for two', () => {
  expect(memoTexts(null)).toEqual([])
  expect(memoTexts('[3] w:1')).toEqual(['w:1'])
  expect(memoTexts('[3] w:1; [6] ü ✓')).toEqual(['w:1', 'ü ✓'])
  expect(memoTexts('[13] hi; [3] w:1 x')).toEqual(['hi; [3] w:1 x'])
  expect(memoTexts('w:1')).toEqual([])
})

async function refused(of: Partial<Parameters<typeof connectChain>[0]>): Promise<string> {
  const error: unknown = await connectChain({ rpcUrls: [world.url], ...of }).catch(
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(WrongChain)
  return (error as Error).message
}

type Extension = { bytes: number; data: number[]; freezer?: boolean }

/** A mint of the payer, with or without a Token-2022 extension. */
async function makeMint(decimals: number, program?: Address, of?: Extension): Promise<Address> {
  const extension = of && of.data.length > 0 ? of : undefined
  const mint = await generateKeyPairSigner()
  // An extended mint is padded to the size of a token account, plus one byte for the account type and four per extension.
  const space = extension ? 165 + 1 + 4 + extension.bytes : 82
  const create = getCreateAccountInstruction({
    payer,
    newAccount: mint,
    lamports: await world.chain.rentFor(space),
    space,
    programAddress: program ?? world.chain.facts.tokenProgram,
  })
  const initialise = getInitializeMint2Instruction(
    {
      mint: mint.address,
      decimals,
      mintAuthority: payer.address,
      freezeAuthority: of?.freezer ? payer.address : null,
    },
    { programAddress: program ?? world.chain.facts.tokenProgram },
  )
  const extend = extension && {
    programAddress: program!,
    accounts: [{ address: mint.address, role: 1 }],
    data: Uint8Array.from(extension.data),
  }
  const signature = await world.run(payer, extend ? [create, extend, initialise] : [create, initialise])
  expect(await world.chain.statuses([signature])).toMatchObject([{ failed: false }])
  return mint.address
}
