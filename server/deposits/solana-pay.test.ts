import { AccountRole, address as toAddress, type Address, generateKeyPairSigner } from '@solana/kit'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { readCreditOf } from '#tests/support/chain-test-world.ts'
import { createDepositor, type Depositor, scanAddress } from '#tests/support/depositors.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'

const world = setUpChainTestWorld()

/** Pays a Solana Pay request as a wallet does: the reference, if there is one, is a further account of the transfer. */
async function pay(depositor: Depositor, amount: bigint, reference?: Address): Promise<void> {
  const { wallet } = depositor
  const depositOwner = toAddress(depositor.address.owner)
  const { mint, decimals, tokenProgram } = world.chain.facts
  const accountOf = async (owner: Address) => (await findAssociatedTokenPda({ owner, mint, tokenProgram }))[0]
  const [source, destination] = await Promise.all([
    accountOf(toAddress(wallet.address)),
    accountOf(depositOwner),
  ])
  const open = await getCreateAssociatedTokenIdempotentInstructionAsync({
    payer: wallet.signer,
    owner: depositOwner,
    mint,
  })
  const transfer = getTransferCheckedInstruction({
    source,
    mint,
    destination,
    authority: wallet.signer,
    amount,
    decimals,
  })
  const referred = reference ? [{ address: reference, role: AccountRole.READONLY } as const] : []
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const { wire, signature } = await signWithBlockhash(wallet.signer, lifetime, [
    open,
    { ...transfer, accounts: [...transfer.accounts, ...referred] },
  ])
  expect(await world.chain.send(wire)).toMatchObject({ state: 'accepted' })
  await world.waitUntilFinal(signature)
}

test('a payment by Solana Pay is credited with and without a reference', async () => {
  const depositor = await createDepositor(world)
  const credited = async () => (await readCreditOf(world.owner, depositor.wallet.address)).deposited
  await pay(depositor, cotton(3))
  await scanAddress(world, depositor.address)
  expect(await credited()).toBe(cotton(3))

  const reference = await generateKeyPairSigner()
  await pay(depositor, cotton(4), reference.address)
  await scanAddress(world, depositor.address)
  expect(await credited()).toBe(cotton(7))
})
