import {
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  AuthorityType,
  findAssociatedTokenPda,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getRecoverNestedAssociatedTokenInstruction,
  getSetAuthorityInstruction,
  getTokenSize,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildLookupTable } from '#tests/support/lookup-table.ts'
import { startTestChain, type TestChain } from '#local-chain/test-chain.ts'
import type { Address, Signature } from './port.ts'
import { receiptOf } from './receipts.ts'

let world: TestChain
let attacker: KeyPairSigner
let deposit: KeyPairSigner
let depositAccount: Address

beforeAll(async () => {
  world = await startTestChain()
  attacker = await world.wallet(1_000_000n)
  deposit = await generateKeyPairSigner()
  depositAccount = await world.chain.tokenAccountOf(deposit.address)
  await world.give(deposit.address, { baseUnits: 7n, lamports: 10_000_000n })
})
afterAll(() => world.stop())

const receipt = (signature: Signature) =>
  world.chain.receipt(signature, { owner: deposit.address, tokenAccount: depositAccount }, 'finalized')

/** Instructions for a token account of the attacker's that is not the derived one. */
async function looseAccount(): Promise<{ account: KeyPairSigner; make: Instruction[] }> {
  const account = await generateKeyPairSigner()
  const make = [
    getCreateAccountInstruction({
      payer: attacker,
      newAccount: account,
      lamports: await world.chain.rentFor(getTokenSize()),
      space: getTokenSize(),
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeAccount3Instruction({ account: account.address, mint: world.mint, owner: attacker.address }),
  ]
  return { account, make }
}

test('the balance change of the derived account counts, and other accounts do not', async () => {
  const other = await world.wallet(1n)
  const signature = await world.run(attacker, [
    await world.transfer(attacker, deposit.address, 30n),
    await world.transfer(attacker, deposit.address, 12n),
    await world.transfer(attacker, other.address, 5_000n),
  ])
  expect(await receipt(signature)).toMatchObject({
    failed: false,
    amount: 42n,
    lamports: 0n,
    unsupported: [],
  })
})

test('every changed account of our mint is listed with its owner and the amount', async () => {
  const other = await world.wallet(1n)
  const signature = await world.run(attacker, [
    await world.transfer(attacker, deposit.address, 30n),
    await world.transfer(attacker, other.address, 5n),
  ])
  const change = async (owner: Address, amount: bigint) => ({
    account: await world.chain.tokenAccountOf(owner),
    owner,
    amount,
  })
  const all = [
    await change(attacker.address, -35n),
    await change(deposit.address, 30n),
    await change(other.address, 5n),
  ]
  const { changes } = (await receipt(signature))!
  expect(changes).toEqual(all.toSorted((a, b) => (a.account < b.account ? -1 : 1)))
})

test('an account whose owner changes in the transaction is listed for both owners', async () => {
  const source = await world.chain.tokenAccountOf(attacker.address)
  const { account, make } = await looseAccount()
  await world.run(attacker, [
    ...make,
    getTransferInstruction({ source, destination: account.address, authority: attacker, amount: 7n }),
  ])
  const handedOver = await world.run(attacker, [
    getSetAuthorityInstruction({
      owned: account.address,
      owner: attacker,
      authorityType: AuthorityType.AccountOwner,
      newAuthority: deposit.address,
    }),
  ])
  const { changes } = (await receipt(handedOver))!
  expect(changes).toHaveLength(2)
  expect(changes).toContainEqual({ account: account.address, owner: attacker.address, amount: -7n })
  expect(changes).toContainEqual({ account: account.address, owner: deposit.address, amount: 7n })
})

test('a false top-up is worth nothing: tokens in, tokens out, and a new owner for the empty account', async () => {
  const source = await world.chain.tokenAccountOf(attacker.address)
  const { account, make } = await looseAccount()
  const move = (from: Address, to: Address) =>
    getTransferInstruction({ source: from, destination: to, authority: attacker, amount: 1000n })
  const handOver = getSetAuthorityInstruction({
    owned: account.address,
    owner: attacker,
    authorityType: AuthorityType.AccountOwner,
    newAuthority: deposit.address,
  })
  const back = [move(source, account.address), move(account.address, source)]
  const emptied = await world.run(attacker, [...make, ...back, handOver])
  expect(await receipt(emptied)).toMatchObject({ failed: false, amount: 0n, unsupported: [] })
})

test('a full account that gets a new owner is recorded and never credited', async () => {
  const source = await world.chain.tokenAccountOf(attacker.address)
  const { account, make } = await looseAccount()
  const signature = await world.run(attacker, [
    ...make,
    getTransferInstruction({ source, destination: account.address, authority: attacker, amount: 900n }),
    getSetAuthorityInstruction({
      owned: account.address,
      owner: attacker,
      authorityType: AuthorityType.AccountOwner,
      newAuthority: deposit.address,
    }),
  ])
  const unsupported = {
    account: account.address,
    mint: world.mint,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
    amount: 900n,
  }
  expect(await receipt(signature)).toMatchObject({ amount: 0n, unsupported: [unsupported] })
})

test('tokens that enter and leave the derived account in one transaction are worth nothing', async () => {
  const signature = await world.run(attacker, [
    await world.transfer(attacker, deposit.address, 500n),
    await world.transfer(deposit, attacker.address, 500n),
  ])
  expect(await receipt(signature)).toMatchObject({ failed: false, amount: 0n })
})

test('another mint is an unsupported deposit', async () => {
  const mint = await generateKeyPairSigner()
  const [ata] = await findAssociatedTokenPda({
    owner: deposit.address,
    mint: mint.address,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  })
  const signature = await world.run(attacker, [
    getCreateAccountInstruction({
      payer: attacker,
      newAccount: mint,
      lamports: await world.chain.rentFor(getMintSize()),
      space: getMintSize(),
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: attacker.address }),
    getCreateAssociatedTokenIdempotentInstruction({
      payer: attacker,
      ata,
      owner: deposit.address,
      mint: mint.address,
    }),
    getMintToInstruction({ mint: mint.address, token: ata, mintAuthority: attacker, amount: 5_000_000n }),
  ])
  const unsupported = {
    account: ata,
    mint: mint.address,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
    amount: 5_000_000n,
  }
  expect(await receipt(signature)).toMatchObject({ amount: 0n, lamports: 0n, unsupported: [unsupported] })
  expect(await world.chain.tokenBalance(ata, 'finalized')).toBe(0n)
  expect(await world.chain.tokenAccount(ata, 'finalized')).toMatchObject({
    mint: mint.address,
    amount: 5_000_000n,
  })
})

test('SOL is distinguished from tokens', async () => {
  const pay = getTransferSolInstruction({ source: attacker, destination: deposit.address, amount: 1_234n })
  expect(await receipt(await world.run(attacker, [pay]))).toMatchObject({
    amount: 0n,
    lamports: 1_234n,
    unsupported: [],
  })
})

test('a transaction for which a node lists no token balances, or null, moves no tokens', () => {
  const message = { accountKeys: [deposit.address], recentBlockhash: '' }
  const balances = { err: null, preBalances: [1n], postBalances: [3n] }
  const of = { owner: deposit.address, tokenAccount: depositAccount, facts: world.chain.facts }
  for (const rows of [{}, { preTokenBalances: null, postTokenBalances: null }]) {
    const answer = { slot: 7n, blockTime: null, transaction: { message }, meta: { ...balances, ...rows } }
    expect(receiptOf('' as Signature, answer, of)).toMatchObject({ amount: 0n, lamports: 2n, changes: [] })
  }
})

test('a transaction with a time that no block can have is not read from that node', () => {
  const transaction = { message: { accountKeys: [deposit.address], recentBlockhash: '' } }
  const meta = { err: null, preBalances: [1n], postBalances: [3n] }
  const of = { owner: deposit.address, tokenAccount: depositAccount, facts: world.chain.facts }
  const read = (blockTime: bigint) =>
    receiptOf('' as Signature, { slot: 7n, blockTime, transaction, meta }, of)
  expect(read(253_402_300_799n)!.blockTime).toEqual(new Date('9999-12-31T23:59:59Z'))
  for (const time of [-1n, 253_402_300_800n, 10n ** 18n])
    expect(() => read(time)).toThrow('the transaction has no slot or time')
})

test('a failed transaction is marked and worth nothing', async () => {
  const transfer = await world.transfer(attacker, deposit.address, 3n)
  const tooMuch = await world.transfer(attacker, deposit.address, 10n ** 15n)
  const signature = await world.run(attacker, [transfer, tooMuch])
  expect(await receipt(signature)).toMatchObject({ failed: true, amount: 0n, lamports: 0n, unsupported: [] })
  const [item] = await world.chain.history(depositAccount, { limit: 1, commitment: 'finalized' })
  expect(item).toMatchObject({ signature, failed: true })
})

test('a derived account in a lookup table counts', async () => {
  const { table, setupInstructions } = await buildLookupTable(world.chain, attacker, [depositAccount])
  await world.run(attacker, setupInstructions)
  const transfer = await world.transfer(attacker, deposit.address, 77n)
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(attacker, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions([transfer], draft),
    (draft) => compressTransactionMessageUsingAddressLookupTables(draft, { [table]: [depositAccount] }),
  )
  const transaction = await signTransactionMessageWithSigners(message)
  const signature = getSignatureFromTransaction(transaction)
  expect(Buffer.from(transaction.messageBytes).includes(bytesOf(depositAccount))).toBe(false)
  const sent = await world.chain.send(getBase64EncodedWireTransaction(transaction))
  expect(sent).toEqual({ state: 'accepted', signature })
  await world.until(signature, 'finalized')
  expect(await receipt(signature)).toMatchObject({ failed: false, amount: 77n })
  const [item] = await world.chain.history(depositAccount, { limit: 1, commitment: 'finalized' })
  expect(item?.signature).toBe(signature)
})

test('a transfer by an inner instruction counts', async () => {
  const [nested] = await findAssociatedTokenPda({
    owner: depositAccount,
    mint: world.mint,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  })
  await world.run(attacker, [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: attacker,
      ata: nested,
      owner: depositAccount,
      mint: world.mint,
    }),
    await world.transfer(attacker, depositAccount, 64n),
  ])
  const signature = await world.run(attacker, [
    getRecoverNestedAssociatedTokenInstruction({
      nestedAssociatedAccountAddress: nested,
      nestedTokenMintAddress: world.mint,
      destinationAssociatedAccountAddress: depositAccount,
      ownerAssociatedAccountAddress: depositAccount,
      ownerTokenMintAddress: world.mint,
      walletAddress: deposit,
    }),
  ])
  expect(await receipt(signature)).toMatchObject({ failed: false, amount: 64n })
})

test('a derived account that is emptied, closed and recreated loses nothing', async () => {
  const balance = await world.chain.tokenBalance(depositAccount, 'finalized')
  const closed = await world.run(attacker, [
    await world.transfer(deposit, attacker.address, balance),
    getCloseAccountInstruction({ account: depositAccount, destination: attacker.address, owner: deposit }),
  ])
  expect(await receipt(closed)).toMatchObject({ amount: -balance, failed: false })
  expect(await world.chain.tokenBalance(depositAccount, 'finalized')).toBe(0n)
  const again = await world.give(deposit.address, { baseUnits: 5n })
  expect(await receipt(again)).toMatchObject({ amount: 5n, failed: false })
})

const bytesOf = (address: Address) => Buffer.from(getAddressEncoder().encode(address))
