import { randomBytes } from 'node:crypto'
import {
  createKeyPairSignerFromPrivateKeyBytes,
  type Instruction,
  type KeyPairSigner,
  lamports,
} from '@solana/kit'
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  AuthorityType,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getSetAuthorityInstruction,
  getTokenSize,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Address, Signature } from '#server/chain/port.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { runQuery, readCreditOf, type TestWallet } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { creditDeposits } from './credit-deposits.ts'
import { type DepositAddress, takeDepositAddress } from './take-address.ts'

const world = setUpChainTestWorld()
let thief: TestWallet
let player: DepositAddress

beforeAll(async () => {
  thief = await world.wallet()
  await world.waitUntilFinal(await world.gift(thief.address, cotton(1_000)))
  const wallet = (await world.wallet()).address
  player = (await takeDepositAddress(world.api, { wallet, now: world.clock.now() }))!
})

afterEach(async () => {
  await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, player)
  expect((await readCreditOf(world.owner, player.wallet)).deposited).toBe(0n)
})

async function run(instructions: Instruction[], options = { skipPreflight: false }): Promise<Signature> {
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const { wire, signature } = await signWithBlockhash(thief.signer, lifetime, instructions)
  expect(await world.chain.send(wire, options)).toMatchObject({ state: 'accepted' })
  await world.waitUntilFinal(signature)
  return signature
}

const newKey = () => createKeyPairSignerFromPrivateKeyBytes(Uint8Array.from(randomBytes(32)))

async function newAccount(account: KeyPairSigner, space: number): Promise<Instruction> {
  return getCreateAccountInstruction({
    payer: thief.signer,
    newAccount: account,
    lamports: lamports(await world.chain.rentFor(space)),
    space,
    programAddress: TOKEN_PROGRAM_ADDRESS,
  })
}

const transfer = (of: { source: Address; destination: Address; units: bigint }): Instruction =>
  getTransferCheckedInstruction({
    ...of,
    mint: world.chain.facts.mint,
    authority: thief.signer,
    amount: of.units,
    decimals: 6,
  })

const unsupported = () =>
  runQuery<{ asset: string; state: string; amount: string }>(
    world.owner,
    'select asset, state, amount::text from receipts where wallet = $1 order by seen_at desc',
    [player.wallet],
  )

test('an account that is transferred to the deposit owner after its tokens left credits nothing', async () => {
  const mine = await world.chain.tokenAccountOf(thief.signer.address)
  const account = await newKey()
  const before = (await unsupported()).length
  const { mint } = world.chain.facts
  await run([
    await newAccount(account, getTokenSize()),
    getInitializeAccount3Instruction({ account: account.address, mint, owner: thief.signer.address }),
    transfer({ source: mine, destination: account.address, units: cotton(900) }),
    transfer({ source: account.address, destination: mine, units: cotton(900) }),
    getSetAuthorityInstruction({
      owned: account.address,
      owner: thief.signer,
      authorityType: AuthorityType.AccountOwner,
      newAuthority: player.owner,
    }),
  ])
  await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, player)
  expect(await unsupported()).toHaveLength(before)
})

test('tokens in another token account of the deposit owner are recorded, not credited', async () => {
  const mine = await world.chain.tokenAccountOf(thief.signer.address)
  const account = await newKey()
  const { mint } = world.chain.facts
  await run([
    await newAccount(account, getTokenSize()),
    getInitializeAccount3Instruction({ account: account.address, mint, owner: player.owner }),
    transfer({ source: mine, destination: account.address, units: cotton(12) }),
    // Names the owner, as a wallet does, so that the owner's history shows the transaction.
    getTransferSolInstruction({ source: thief.signer, destination: player.owner, amount: 1_000_000 }),
  ])
  await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, player)
  expect(await unsupported()).toEqual(
    expect.arrayContaining([
      { asset: 'other_token', state: 'unclaimed', amount: '12000000' },
      { asset: 'sol', state: 'unclaimed', amount: '1000000' },
    ]),
  )
})

test('a look-alike token is recorded, not credited', async () => {
  const mint = await newKey()
  const [ata] = await findAssociatedTokenPda({
    owner: player.owner,
    mint: mint.address,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  })
  await run([
    await newAccount(mint, getMintSize()),
    getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: thief.signer.address }),
    getCreateAssociatedTokenIdempotentInstruction({
      payer: thief.signer,
      ata,
      owner: player.owner,
      mint: mint.address,
    }),
    getMintToInstruction({
      mint: mint.address,
      token: ata,
      mintAuthority: thief.signer,
      amount: cotton(777),
    }),
  ])
  await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, player)
  expect(await unsupported()).toContainEqual({
    asset: 'other_token',
    state: 'unclaimed',
    amount: '777000000',
  })
})

test('a transfer that failed credits nothing', async () => {
  const mine = await world.chain.tokenAccountOf(thief.signer.address)
  const failing = [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: thief.signer,
      ata: player.tokenAccount,
      owner: player.owner,
      mint: world.chain.facts.mint,
    }),
    transfer({ source: mine, destination: player.tokenAccount, units: cotton(10) }),
    transfer({ source: mine, destination: player.tokenAccount, units: cotton(1_000_000) }),
  ]
  const signature = await run(failing, { skipPreflight: true })
  expect((await world.chain.statuses([signature]))[0]).toMatchObject({ failed: true })
})
