import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { memoTexts } from '#server/chain/port.ts'
import { reviewRequests } from '#server/signer/review/review-requests.ts'
import { openLanes } from '#server/signer/nonces/open-lanes.ts'
import { readWithdrawals } from '#server/withdrawals/read-withdrawals.ts'
import { renewLanes } from '#server/signer/nonces/renew-lanes.ts'
import { settlePayouts } from '#server/signer/payouts/settle-payouts.ts'
import { signApproved } from '#server/signer/payouts/sign-approved.ts'
import type { Signer } from '#server/signer/signer.ts'
import { runQuery, type ChainTestWorld, type TestWallet, waitUntil } from './chain-test-world.ts'

/** How often the chain shows a payout with this withdrawal's memo. */
export async function countPayouts(world: ChainTestWorld, id: string): Promise<number> {
  const { treasuryTokens } = await world.newSigner()
  const items = await world.chain.history(treasuryTokens, { limit: 1000, commitment: 'finalized' })
  return items.filter((item) => !item.failed && memoTexts(item.memo).includes(`w:${id}`)).length
}

/** Every withdrawal of a wallet is over, stands on the chain once, and what the wallet holds is their sum. */
export async function expectPaidOnce(world: ChainTestWorld, wallet: TestWallet): Promise<void> {
  const withdrawals = await readWithdrawals(world.api, wallet.address)
  for (const each of withdrawals) {
    expect(each).toMatchObject({ state: 'finalized', reason: null, signature: expect.any(String) })
    expect(await countPayouts(world, each.id)).toBe(1)
  }
  const total = withdrawals.reduce((sum, each) => sum + each.amount, 0)
  expect(await world.tokenBalanceOf(wallet.address)).toBe(cotton(total))
}

/** A signer that has come up and may sign, and has not looked at any withdrawal yet. */
export async function createReadySigner(world: ChainTestWorld): Promise<Signer> {
  const signer = await world.newSigner()
  await waitUntil(async () => {
    await openLanes(signer)
    await settlePayouts(signer)
    return renewLanes(signer)
  })
  return signer
}

/** The same, once it has judged all requests and signed what it approved; nothing is sent yet. */
export async function createSignerAfterSigning(world: ChainTestWorld): Promise<Signer> {
  const signer = await createReadySigner(world)
  await reviewRequests(signer)
  await signApproved(signer)
  return signer
}

/** The database as it was before payouts were signed: a backup was restored. */
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
