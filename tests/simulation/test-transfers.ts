import { createKeyPairSignerFromPrivateKeyBytes, type Instruction, type KeyPairSigner } from '@solana/kit'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  AuthorityType,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getSetAuthorityInstruction,
  getTokenSize,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import type { Address } from '#server/chain/port.ts'
import type { SimulatedWorld } from './simulated-world.ts'

const DECIMALS = 6
const RENT = 3_000_000n

/** The kind of a transaction to a deposit address, and the credit that it is worth if it succeeds. */
export type TestTransfer = { kind: string; worth: bigint; instructions: Instruction[] }

/** The kinds of transactions to a deposit address: honest ones, and attempts to be credited too much. */
export const TRANSFER_KINDS = [
  'plain transfer',
  'transfer to the open account',
  'two transfers in one',
  'transfer of more than there is',
  'another token',
  'another token to the open account',
  'SOL',
  'an account handed over',
  'in, out and handed over',
] as const

export type TransferKind = (typeof TRANSFER_KINDS)[number]

/** Builds a transaction of one kind from a wallet to a deposit address. */
export async function buildTestTransfer(
  world: SimulatedWorld,
  { kind, from, to, amount }: { kind: TransferKind; from: KeyPairSigner; to: Address; amount: bigint },
): Promise<TestTransfer> {
  const { mint, otherMint } = world.genesis
  const ours = await buildTransferInstructions({ mint, from, to, amount })
  const memo = getAddMemoInstruction(
    { memo: `sim ${Buffer.from(world.random.bytes(6)).toString('hex')}` },
    { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 },
  )
  const of = (worth: bigint, instructions: Instruction[]): TestTransfer => ({
    kind,
    worth,
    instructions: [...instructions, memo],
  })
  switch (kind) {
    case 'plain transfer':
      return of(amount, ours)
    // Like most wallets, it names only the token account. It fails if that does not exist yet.
    case 'transfer to the open account':
      return of(amount, ours.slice(1))
    case 'two transfers in one':
      return of(2n * amount, [...ours, ours[1]!])
    case 'transfer of more than there is':
      return of(
        amount * 1_000_000n,
        await buildTransferInstructions({ mint, from, to, amount: amount * 1_000_000n }),
      )
    case 'another token':
      return of(0n, await buildTransferInstructions({ mint: otherMint, from, to, amount }))
    // No transaction names the owner, so only the search of all its accounts finds it.
    case 'another token to the open account':
      return of(0n, (await buildTransferInstructions({ mint: otherMint, from, to, amount })).slice(1))
    case 'SOL':
      return of(0n, [getTransferSolInstruction({ source: from, destination: to, amount: 1_000_000n })])
    case 'an account handed over':
      return of(0n, await buildHandover(world, { from, to, amount, back: false }))
    case 'in, out and handed over':
      return of(0n, await buildHandover(world, { from, to, amount, back: true }))
  }
}

async function buildTransferInstructions(of: {
  mint: Address
  from: KeyPairSigner
  to: Address
  amount: bigint
}) {
  const { mint, from, to, amount } = of
  const source = await tokenAccountOf(mint, from.address)
  const destination = await tokenAccountOf(mint, to)
  return [
    getCreateAssociatedTokenIdempotentInstruction({ payer: from, ata: destination, owner: to, mint }),
    getTransferCheckedInstruction({ source, mint, destination, authority: from, amount, decimals: DECIMALS }),
  ]
}

/** Fills (and possibly empties) an account of the sender, and transfers its ownership to the deposit address. */
async function buildHandover(
  world: SimulatedWorld,
  { from, to, amount, back }: { from: KeyPairSigner; to: Address; amount: bigint; back: boolean },
): Promise<Instruction[]> {
  const { mint } = world.genesis
  const account = await createKeyPairSignerFromPrivateKeyBytes(world.random.bytes(32))
  const source = await tokenAccountOf(mint, from.address)
  const move = (source: Address, destination: Address): Instruction =>
    getTransferCheckedInstruction({ source, mint, destination, authority: from, amount, decimals: DECIMALS })
  return [
    getCreateAccountInstruction({
      payer: from,
      newAccount: account,
      lamports: RENT,
      space: getTokenSize(),
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeAccount3Instruction({ account: account.address, mint, owner: from.address }),
    move(source, account.address),
    ...(back ? [move(account.address, source)] : []),
    getSetAuthorityInstruction({
      owned: account.address,
      owner: from,
      authorityType: AuthorityType.AccountOwner,
      newAuthority: to,
    }),
    // Names the deposit address, so that its history shows the transaction.
    getTransferSolInstruction({ source: from, destination: to, amount: 1_000_000n }),
  ]
}

const known = new Map<string, Address>()

/** The derived token account of an owner. */
export async function tokenAccountOf(mint: Address, owner: Address): Promise<Address> {
  const name = `${mint} ${owner}`
  const found = known.get(name)
  if (found !== undefined) return found
  const [address] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  known.set(name, address)
  return address
}
