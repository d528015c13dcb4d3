import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import {
  getCreateAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { signByWallet, startTestChain, type TestChain } from '#local-chain/test-chain.ts'
import { ChainUnavailable, memoTexts, type Address, type Commitment, type Signature } from './port.ts'
import { TOKEN_2022_PROGRAM_ADDRESS } from './token-accounts.ts'
import {
  buildNonceAccount,
  buildPayout,
  buildSweep,
  buildTransfer,
  NONCE_ACCOUNT_BYTES,
  signWithBlockhash,
  TOKEN_ACCOUNT_BYTES,
} from './transactions.ts'

let world: TestChain

beforeAll(async () => {
  world = await startTestChain()
})
afterAll(() => world.stop())
afterEach(() => void vi.useRealTimers())

const memo = (text: string): Instruction =>
  getAddMemoInstruction({ memo: text }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 })

async function lane(treasury: KeyPairSigner): Promise<Address> {
  const nonceAccount = await generateKeyPairSigner()
  const made = await buildNonceAccount({
    nonceAccount,
    treasury,
    rent: await world.chain.rentFor(NONCE_ACCOUNT_BYTES),
    lifetime: await world.chain.latestBlockhash('confirmed'),
  })
  expect(await world.chain.send(made.wire)).toEqual({ state: 'accepted', signature: made.signature })
  await world.until(made.signature, 'finalized')
  return nonceAccount.address
}

const received = async (owner: Address, signature: Signature) =>
  world.chain.receipt(
    signature,
    { owner, tokenAccount: await world.chain.tokenAccountOf(owner) },
    'finalized',
  )

const balance = async (owner: Address) =>
  world.chain.tokenBalance(await world.chain.tokenAccountOf(owner), 'finalized')

test('the facts describe a local chain with a six-decimal token', () => {
  expect(world.chain.facts).toMatchObject({
    cluster: 'local',
    mint: world.mint,
    decimals: 6,
    tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    explorer: null,
  })
})

test('a transfer becomes processed, confirmed and finalized, and is visible at each commitment from then on', async () => {
  // Blocks are made when the test asks for them, so that it sees each commitment however slow the machine is.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const slotMs = 10
  const stepped = await startTestChain({ slotMs, finalDepth: 3 })
  const nextBlock = () => vi.advanceTimersByTime(slotMs)
  try {
    const { chain } = stepped
    const wallet = await generateKeyPairSigner()
    const given = stepped
      .give(wallet.address, { baseUnits: 5_000_000n, lamports: 1_000_000_000n })
      .then(() => true)
    while (!(await Promise.race([given, pause()]))) nextBlock()
    const owner = (await generateKeyPairSigner()).address
    const tokenAccount = await chain.tokenAccountOf(owner)
    const built = await buildTransfer({
      token: chain.facts,
      wallet: wallet.address,
      depositOwner: owner,
      amount: 3_250_000n,
      reference: 'abc',
      lifetime: await chain.latestBlockhash('confirmed'),
    })
    const sent = await chain.send(await signByWallet(wallet, built.wire))
    if (sent.state !== 'accepted') throw new Error(JSON.stringify(sent))
    const statusNow = async () => (await chain.statuses([sent.signature]))[0]!
    const stepUntil = async (commitment: Commitment) => {
      while ((await statusNow()).commitment !== commitment) nextBlock()
    }
    const amountsAt = async (commitment: 'confirmed' | 'finalized') => [
      await chain.tokenBalance(tokenAccount, commitment),
      ...(await chain.tokenBalances([tokenAccount], { notBefore: 0n, commitment })).amounts,
    ]
    const receiptAt = (commitment: 'confirmed' | 'finalized') =>
      chain.receipt(sent.signature, { owner, tokenAccount }, commitment)

    expect(await statusNow()).toMatchObject({ commitment: 'processed', failed: false })
    expect(await amountsAt('confirmed')).toEqual([0n, 0n])
    expect(await receiptAt('confirmed')).toBeNull()
    await stepUntil('confirmed')
    expect(await amountsAt('confirmed')).toEqual([3_250_000n, 3_250_000n])
    expect(await amountsAt('finalized')).toEqual([0n, 0n])
    expect(await receiptAt('finalized')).toBeNull()
    await stepUntil('finalized')
    expect(await amountsAt('finalized')).toEqual([3_250_000n, 3_250_000n])
    const receipt = await receiptAt('finalized')
    expect(receipt).toMatchObject({ amount: 3_250_000n, lamports: 0n, failed: false, unsupported: [] })
    expect(Math.abs(receipt!.blockTime!.getTime() - Date.now())).toBeLessThan(20_000)
    const [item] = await chain.history(tokenAccount, { limit: 1, commitment: 'finalized' })
    expect(item).toMatchObject({ signature: sent.signature, failed: false, commitment: 'finalized' })
    expect(memoTexts(item!.memo)).toEqual(['d:abc'])
  } finally {
    await stepped.stop()
  }
})

test('a swept deposit leaves the deposit account and reaches the treasury, which pays the fee', async () => {
  const [treasury, deposit] = [await world.wallet(), await generateKeyPairSigner()]
  await world.give(deposit.address, { baseUnits: 700n })
  const sweep = await buildSweep({
    token: world.chain.facts,
    depositOwner: deposit,
    treasury,
    amount: 700n,
    id: '9',
    lifetime: await world.chain.latestBlockhash('confirmed'),
  })
  await world.chain.send(sweep.wire)
  await world.until(sweep.signature, 'finalized')
  expect(await received(deposit.address, sweep.signature)).toMatchObject({ amount: -700n, unsupported: [] })
  expect(await received(treasury.address, sweep.signature)).toMatchObject({ amount: 700n })
  expect([await balance(deposit.address), await balance(treasury.address)]).toEqual([0n, 700n])
})

test('the same bytes sent twice land once', async () => {
  const [from, to] = [await world.wallet(100n), await world.wallet(1n)]
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const { wire, signature } = await signWithBlockhash(from, lifetime, [
    await world.transfer(from, to.address, 40n),
  ])
  expect(await world.chain.send(wire)).toEqual({ state: 'accepted', signature })
  expect(await world.chain.send(wire)).toMatchObject({ state: 'rejected', reason: 'already_processed' })
  await world.until(signature, 'finalized')
  expect(await world.chain.send(wire, { skipPreflight: true })).toMatchObject({ state: 'accepted' })
  expect([await balance(from.address), await balance(to.address)]).toEqual([60n, 41n])
})

test('of all payouts on one nonce at most one lands, once, and uses up the nonce', async () => {
  const [treasury, wallet] = [await world.wallet(1_000n), await generateKeyPairSigner()]
  const nonceAccount = await lane(treasury)
  const nonce = (await world.chain.nonceValue(nonceAccount, 'finalized'))!
  const payout = (amount: bigint, id: string) =>
    buildPayout({
      token: world.chain.facts,
      treasury,
      lane: { nonceAccount, nonce },
      wallet: wallet.address,
      amount,
      id,
    })
  const [first, again, rival] = await Promise.all([payout(300n, '1'), payout(300n, '1'), payout(200n, '2')])
  expect(again).toEqual(first)
  expect(await world.chain.send(first.wire)).toMatchObject({ state: 'accepted' })
  for (const skipPreflight of [true, false, true]) await world.chain.send(rival.wire, { skipPreflight })
  await world.until(first.signature, 'finalized')
  expect(await world.chain.send(rival.wire)).toMatchObject({ state: 'rejected', reason: 'lifetime_over' })
  expect(await world.chain.send(first.wire)).toMatchObject({ state: 'rejected', reason: 'already_processed' })
  expect(await world.chain.statuses([rival.signature])).toEqual([null])
  expect(await world.chain.nonceValue(nonceAccount, 'finalized')).not.toBe(nonce)
  expect([await balance(wallet.address), await balance(treasury.address)]).toEqual([300n, 700n])
  const [item] = await world.chain.history(await world.chain.tokenAccountOf(treasury.address), {
    limit: 1,
    commitment: 'finalized',
  })
  expect(memoTexts(item!.memo)).toEqual(['w:1'])
})

test('a payout that fails on the chain uses up its nonce as well', async () => {
  const [treasury, wallet] = [await world.wallet(10n), await generateKeyPairSigner()]
  const nonceAccount = await lane(treasury)
  const nonce = (await world.chain.nonceValue(nonceAccount, 'confirmed'))!
  const payout = await buildPayout({
    token: world.chain.facts,
    treasury,
    lane: { nonceAccount, nonce },
    wallet: wallet.address,
    amount: 11n,
    id: '3',
  })
  expect(await world.chain.send(payout.wire)).toMatchObject({
    state: 'rejected',
    reason: 'insufficient_funds',
  })
  await world.chain.send(payout.wire, { skipPreflight: true })
  await world.until(payout.signature, 'finalized')
  expect(await world.chain.statuses([payout.signature])).toMatchObject([{ failed: true }])
  await world.give(treasury.address, { baseUnits: 100n })
  await world.chain.send(payout.wire, { skipPreflight: true })
  const next = (await world.chain.nonceValue(nonceAccount, 'finalized'))!
  expect(next).not.toBe(nonce)
  const second = await buildPayout({
    token: world.chain.facts,
    treasury,
    lane: { nonceAccount, nonce: next },
    wallet: wallet.address,
    amount: 11n,
    id: '3',
  })
  expect(await world.chain.send(second.wire)).toMatchObject({ state: 'accepted' })
  await world.until(second.signature, 'finalized')
  expect(await balance(wallet.address)).toBe(11n)
})

const at = { programAddress: TOKEN_2022_PROGRAM_ADDRESS }

/** A new token of Token-2022, and the associated accounts of these owners, of which the first has 9 units. */
async function makeToken2022(authority: KeyPairSigner, ...owners: Address[]) {
  const newAccount = await generateKeyPairSigner()
  const mint = newAccount.address
  const token = { mint, decimals: 6, tokenProgram: TOKEN_2022_PROGRAM_ADDRESS }
  const accounts = await Promise.all(
    owners.map(async (owner) => (await findAssociatedTokenPda({ owner, ...token }))[0]),
  )
  const space = getMintSize()
  const lamports = await world.chain.rentFor(space)
  await world.run(authority, [
    getCreateAccountInstruction({ payer: authority, newAccount, lamports, space, ...at }),
    getInitializeMint2Instruction({ mint, decimals: 6, mintAuthority: authority.address }, at),
    ...owners.map((owner, index) =>
      getCreateAssociatedTokenIdempotentInstruction({
        payer: authority,
        ata: accounts[index]!,
        owner,
        ...token,
      }),
    ),
    getMintToInstruction({ mint, token: accounts[0]!, mintAuthority: authority, amount: 9n }, at),
  ])
  return { token, accounts }
}

test('what a payout is expected to pay for a token account is enough with either token program', async () => {
  const wallet = await world.wallet(1n)
  const { accounts } = await makeToken2022(wallet, wallet.address)
  const expected = await world.chain.rentFor(TOKEN_ACCOUNT_BYTES)
  for (const account of [...accounts, await world.chain.tokenAccountOf(wallet.address)])
    expect(await world.chain.lamports(account, 'finalized')).toBeLessThanOrEqual(expected)
})

test('a payout reaches a Token-2022 account that requires a memo right before each transfer', async () => {
  const [treasury, wallet] = [await world.wallet(), await world.wallet()]
  const { token, accounts } = await makeToken2022(treasury, treasury.address, wallet.address)
  const { mint } = token
  const [source, destination] = accounts as [Address, Address]
  const account = { address: destination, role: 1 }
  const owner = { address: wallet.address, role: 2, signer: wallet }
  const system = { address: SYSTEM_PROGRAM_ADDRESS, role: 0 }
  await world.run(wallet, [
    // Reallocate (29) for the extension MemoTransfer (8): the owner pays
    { ...at, accounts: [account, { ...owner, role: 3 }, system, owner], data: Uint8Array.of(29, 8, 0) },
    // MemoTransferExtension (30), Enable (0)
    { ...at, accounts: [account, owner], data: Uint8Array.of(30, 0) },
  ])
  const bare = { source, mint, destination, authority: treasury, amount: 1n, decimals: 6 }
  const withoutMemo = await world.run(treasury, [getTransferCheckedInstruction(bare, at)])
  const nonceAccount = await lane(treasury)
  const nonce = (await world.chain.nonceValue(nonceAccount, 'finalized'))!
  const payout = await buildPayout({
    token,
    treasury,
    lane: { nonceAccount, nonce },
    wallet: wallet.address,
    amount: 2n,
    id: '4',
  })
  await world.chain.send(payout.wire, { skipPreflight: true })
  await world.until(payout.signature, 'finalized')
  expect(await world.chain.statuses([withoutMemo, payout.signature])).toMatchObject([
    { failed: true },
    { failed: false },
  ])
})

test('a blockhash is refused 150 blocks after its own block, and no earlier', async () => {
  const [from, to] = [await world.wallet(100n), await world.wallet(1n)]
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const transfers = await Promise.all(
    [10n, 20n].map(async (amount) =>
      signWithBlockhash(from, lifetime, [await world.transfer(from, to.address, amount)]),
    ),
  )
  while ((await world.chain.blockHeight('processed')) < lifetime.lastValidBlockHeight - 20n) await pause()
  expect(await world.chain.send(transfers[0]!.wire)).toMatchObject({ state: 'accepted' })
  while ((await world.chain.blockHeight('processed')) <= lifetime.lastValidBlockHeight) await pause()
  expect(await world.chain.send(transfers[1]!.wire)).toMatchObject({
    state: 'rejected',
    reason: 'lifetime_over',
  })
  await world.chain.send(transfers[1]!.wire, { skipPreflight: true })
  await world.until(transfers[0]!.signature, 'finalized')
  expect(await world.chain.statuses([transfers[1]!.signature])).toEqual([null])
  expect(await balance(to.address)).toBe(11n)
})

const pause = () => sleep(10)

test('a history is read to its end in pages, newest first, and from a given signature on', async () => {
  const [from, to] = [await world.wallet(), await world.wallet()]
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const sent: Signature[] = []
  for (let i = 0; i < 23; i++) {
    const pay = getTransferSolInstruction({ source: from, destination: to.address, amount: 1n })
    const { wire, signature } = await signWithBlockhash(from, lifetime, [pay, memo(`n${i}`)])
    await world.chain.send(wire)
    sent.unshift(signature)
  }
  await world.until(sent[0]!, 'finalized')
  const read: Signature[] = []
  for (;;) {
    const before = read.at(-1)
    const page = await world.chain.history(from.address, { before, limit: 7, commitment: 'finalized' })
    if (page.length === 0) break
    read.push(...page.map(({ signature }) => signature))
  }
  expect(read.slice(0, 23)).toEqual(sent)
  expect(read).toHaveLength(24) // and the gift of the faucet
  const page = await world.chain.history(from.address, {
    until: sent[4]!,
    limit: 1000,
    commitment: 'confirmed',
  })
  expect(page.map(({ signature }) => signature)).toEqual(sent.slice(0, 4))
  const slice = { before: sent[10]!, until: sent[20]!, limit: 1000, commitment: 'finalized' } as const
  expect(await world.chain.history(from.address, slice)).toHaveLength(9)
})

test('many token accounts are read in one call, and other addresses return null', async () => {
  const { chain } = world
  const [full, empty] = [await world.wallet(7_000n), await generateKeyPairSigner()]
  const accounts = await Promise.all([full, empty].map(({ address }) => chain.tokenAccountOf(address)))
  const { mint } = chain.facts
  expect(await chain.tokenAccounts([...accounts, full.address])).toEqual([
    { owner: full.address, mint, amount: 7_000n, frozen: false },
    null,
    null,
  ])
})

test('the balances of many accounts are from one slot, and never from an older one than requested', async () => {
  const { chain } = world
  const [full, empty] = [await world.wallet(7_000n), await generateKeyPairSigner()]
  const accounts = await Promise.all([full, empty].map(({ address }) => chain.tokenAccountOf(address)))
  const before = await chain.slot('finalized')
  const { slot, amounts } = await chain.tokenBalances([...accounts, full.address], { notBefore: before })
  expect(amounts).toEqual([7_000n, 0n, 0n])
  expect(slot).toBeGreaterThanOrEqual(before)
  await expect(chain.tokenBalances(accounts, { notBefore: slot + 10_000n })).rejects.toThrow(ChainUnavailable)
})

test('a receipt reader returns the same receipt for each owner as separate calls', async () => {
  const { chain } = world
  const [to, other] = [await world.wallet(7_000n), await generateKeyPairSigner()]
  const [item] = await chain.history(await chain.tokenAccountOf(to.address), {
    limit: 1,
    commitment: 'finalized',
  })
  const receipt = chain.createReceiptReader()
  for (const { address: owner } of [to, other]) {
    const of = { owner, tokenAccount: await chain.tokenAccountOf(owner) }
    expect(await receipt(item!.signature, of, 'finalized')).toEqual(
      await chain.receipt(item!.signature, of, 'finalized'),
    )
  }
})
