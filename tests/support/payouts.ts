import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { memoTexts } from '#server/chain/port.ts'
import { judgeRequests } from '#server/signer/review/judge-requests.ts'
import { openLanes } from '#server/signer/nonces/open-lanes.ts'
import { readWithdrawals } from '#server/withdrawals/read-withdrawals.ts'
import { renewLanes } from '#server/signer/nonces/renew-lanes.ts'
import { settlePayouts } from '#server/signer/payouts/settle-payouts.ts'
import { signApproved } from '#server/signer/payouts/sign-approved.ts'
import type { Signer } from '#server/signer/signer.ts'
import { ask, type MoneyWorld, type TestWallet, until } from './money-world.ts'

/** How often the chain shows a payout with this withdrawal's memo. */
export async function timesPaid(world: MoneyWorld, id: string): Promise<number> {
  const { treasuryTokens } = await world.newSigner()
  const items = await world.chain.history(treasuryTokens, { limit: 1000, commitment: 'finalized' })
  return items.filter((item) => !item.failed && memoTexts(item.memo).includes(`w:${id}`)).length
}

/** Every withdrawal of a wallet is over, stands on the chain once, and what the wallet holds is their sum. */
export async function expectPaidOnce(world: MoneyWorld, wallet: TestWallet): Promise<void> {
  const withdrawals = await readWithdrawals(world.api, wallet.address)
  for (const each of withdrawals) {
    expect(each).toMatchObject({ state: 'finalized', reason: null, signature: expect.any(String) })
    expect(await timesPaid(world, each.id)).toBe(1)
  }
  const total = withdrawals.reduce((sum, each) => sum + each.amount, 0)
  expect(await world.tokensOf(wallet.address)).toBe(cotton(total))
}

/** A signer that has come up and may sign, and has not looked at any withdrawal yet. */
export async function readySigner(world: MoneyWorld): Promise<Signer> {
  const signer = await world.newSigner()
  await until(async () => {
    await openLanes(signer)
    await settlePayouts(signer)
    return renewLanes(signer)
  })
  return signer
}

/** The same, once it has judged all requests and signed what it approved; nothing is sent yet. */
export async function signerThatSigned(world: MoneyWorld): Promise<Signer> {
  const signer = await readySigner(world)
  await judgeRequests(signer)
  await signApproved(signer)
  return signer
}

/** The database as it was before payouts were signed: a backup was restored. */
export async function forgetPayouts(world: MoneyWorld, wallet: TestWallet): Promise<void> {
  await world.owner.transaction(async (tx) => {
    const of = [wallet.address]
    await ask(tx, `set local session_replication_role = replica`)
    const settled = `select id from journals where wallet = $1 and kind = 'settlement'`
    await ask(tx, `delete from entries where journal_id in (${settled})`, of)
    await ask(tx, `delete from journals where id in (${settled})`, of)
    await ask(
      tx,
      'delete from payouts where withdrawal_id in (select id from withdrawals where wallet = $1)',
      of,
    )
    await ask(tx, 'update lanes set withdrawal_id = null')
    await ask(
      tx,
      `update withdrawals set state = 'requested', settled_at = null, paid_by = null where wallet = $1`,
      of,
    )
    await ask(tx, `delete from settings where name = 'payouts_read_to'`)
    await ask(tx, 'select fill_totals()')
  })
}
