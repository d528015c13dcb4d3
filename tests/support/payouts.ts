import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget'
import { getBurnInstruction, getCloseAccountInstruction } from '@solana-program/token'
import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, memoTexts, type Wire } from '#server/chain/port.ts'
import { readTransaction } from '#server/chain/read-transaction.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { reviewRequests } from '#server/signer/review/review-requests.ts'
import { openLanes } from '#server/signer/nonces/open-lanes.ts'
import { readWithdrawals } from '#server/withdrawals/read-withdrawals.ts'
import { renewLanes } from '#server/signer/nonces/renew-lanes.ts'
import { settlePayouts } from '#server/signer/payouts/settle-payouts.ts'
import { signApproved } from '#server/signer/payouts/sign-approved.ts'
import type { Signer } from '#server/signer/signer.ts'
import { createPlayerWith, runUntilSettled, withdraw } from './chain-test-players.ts'
import { runQuery, type ChainTestWorld, type TestWallet, waitUntil } from './chain-test-world.ts'

/** The instruction of the compute budget program that sets the price of a unit: its number, and a u64. */
const SET_UNIT_PRICE = 3

/** The price of a compute unit that a transaction offers, in microlamports; null if it sets none. */
export function unitPriceOf(wire: Wire): bigint | null {
  const { message } = readTransaction(Buffer.from(wire, 'base64'))
  const priced = message.instructions.find(
    ({ programAddressIndex, data }) =>
      message.staticAccounts[programAddressIndex] === COMPUTE_BUDGET_PROGRAM_ADDRESS &&
      data?.[0] === SET_UNIT_PRICE,
  )
  return priced?.data ? Buffer.from(priced.data).readBigUInt64LE(1) : null
}

/** The ids of the withdrawals that the treasury has paid successfully, one for each payout on the chain. */
async function readPaidIds(world: ChainTestWorld): Promise<string[]> {
  const { treasuryTokens } = await world.newSigner()
  const items = await world.chain.history(treasuryTokens, { limit: 1000, commitment: 'finalized' })
  const texts = items.filter((item) => !item.failed).flatMap((item) => memoTexts(item.memo))
  return texts.filter((text) => text.startsWith('w:')).map((text) => text.slice(2))
}

/** How many successful transactions of the treasury have the memo of this withdrawal. */
export async function countPayouts(world: ChainTestWorld, id: string): Promise<number> {
  return (await readPaidIds(world)).filter((each) => each === id).length
}

/**
 * Expects that the wallet has withdrawals, that each is finalized and on the chain once, and that the wallet holds their sum.
 */
export async function expectPaidOnce(world: ChainTestWorld, wallet: TestWallet): Promise<void> {
  const withdrawals = await readWithdrawals(world.api, wallet.address)
  expect(withdrawals).not.toEqual([])
  const paid = await readPaidIds(world)
  for (const each of withdrawals) {
    expect(each).toMatchObject({ state: 'finalized', reason: null, signature: expect.any(String) })
    expect(paid.filter((id) => id === each.id)).toEqual([each.id])
  }
  const total = withdrawals.reduce((sum, each) => sum + each.amount, 0)
  expect(await world.tokenBalanceOf(wallet.address)).toBe(cotton(total))
}

/**
 * A signer on a chain where tokens have a value, so that the policy and the reserve check apply. `over` replaces methods
 * of its chain.
 */
export function newMainnetSigner(world: ChainTestWorld, over: Partial<Chain> = {}): Promise<Signer> {
  return world.newSigner({ ...world.chain, ...over, facts: { ...world.chain.facts, cluster: 'mainnet' } })
}

/** A wallet with this credit whose first withdrawal was paid four days ago. */
export async function createKnownPlayer(
  world: ChainTestWorld,
  credit: { deposited?: number; earned?: number },
): Promise<TestWallet> {
  const wallet = await createPlayerWith(world, credit)
  await withdraw(world, wallet, cotton(1))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  await world.skipDays(4)
  return wallet
}

/** Burns the wallet's tokens and closes its token account, which refunds the rent to the wallet. */
export async function closeTokenAccount(world: ChainTestWorld, { signer }: TestWallet): Promise<void> {
  const { mint } = world.chain.facts
  const account = await world.chain.tokenAccountOf(signer.address)
  const amount = await world.chain.tokenBalance(account, 'finalized')
  const { wire, signature } = await signWithBlockhash(
    signer,
    await world.chain.latestBlockhash('confirmed'),
    [
      getBurnInstruction({ account, mint, authority: signer, amount }),
      getCloseAccountInstruction({ account, destination: signer.address, owner: signer }),
    ],
  )
  await world.chain.send(wire)
  await world.waitUntilFinal(signature)
}

/** A signer whose lanes are renewed. It has not reviewed any withdrawal yet. */
export async function createReadySigner(world: ChainTestWorld): Promise<Signer> {
  const signer = await world.newSigner()
  await waitUntil(async () => {
    await openLanes(signer)
    await settlePayouts(signer)
    return renewLanes(signer)
  })
  return signer
}

/** The same, after it reviewed all requests and signed the approved ones. Nothing is sent yet. */
export async function createSignerAfterSigning(world: ChainTestWorld): Promise<Signer> {
  const signer = await createReadySigner(world)
  await reviewRequests(signer)
  await signApproved(signer)
  return signer
}

/** Reverts the database to the state before the wallet's payouts were signed, as a restored backup does. */
export async function deletePayouts(world: ChainTestWorld, wallet: TestWallet): Promise<void> {
  await world.owner.transaction(async (tx) => {
    const of = [wallet.address]
    await runQuery(tx, `set local session_replication_role = replica`)
    const settled = `select id from journals where wallet = $1 and kind = 'settlement'`
    await runQuery(tx, `delete from entries where journal_id in (${settled})`, of)
    await runQuery(tx, `delete from journals where id in (${settled})`, of)
    await runQuery(
      tx,
      'delete from payouts where withdrawal_id in (select id from withdrawals where wallet = $1)',
      of,
    )
    await runQuery(tx, 'update lanes set withdrawal_id = null')
    await runQuery(
      tx,
      `update withdrawals set state = 'requested', settled_at = null, paid_by = null where wallet = $1`,
      of,
    )
    await runQuery(tx, `delete from settings where name = 'payouts_read_to'`)
    await runQuery(tx, 'select fill_totals()')
  })
}
