import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { createPlayerWith, withdraw } from '#tests/support/chain-test-players.ts'
import { runQuery, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { newMainnetSigner } from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import type { Signer } from '../signer.ts'
import { sweepDeposits } from './sweep-deposits.ts'
import { watchTreasury } from './watch-treasury.ts'

const world = setUpChainTestWorld()

/** What is credited at the addresses that are swept now, in whole $COTTON, in the order in which their sweeps are signed. */
async function sweptNow(signer: Signer): Promise<number[]> {
  const indexes: number[] = []
  const depositKey: Signer['keys']['depositKey'] = (index) => {
    indexes.push(index)
    return signer.keys.depositKey(index)
  }
  await waitUntil(async () => {
    await sweepDeposits({ ...signer, keys: { depositKey } })
    return (await runQuery(world.owner, `select from sweeps where state = 'signed'`)).length === 0
  })
  const rows = await runQuery<{ index: number; credited: number }>(
    world.owner,
    `select a.index, (t.credited / 1000000)::integer as credited
     from deposit_addresses a join token_account_totals t using (token_account)`,
  )
  const credited = new Map(rows.map((row) => [row.index, row.credited]))
  return indexes.map((index) => credited.get(index)!)
}

test('while withdrawals wait for tokens that the treasury lacks, smaller deposits are swept, the largest first', async () => {
  const wallets: TestWallet[] = []
  for (const deposited of [20, 9, 999, 2_000]) wallets.push(await createPlayerWith(world, { deposited }))
  const signer = await newMainnetSigner(world)
  /** Records what the treasury has, as the signer does. */
  const record = (tokens: number, lamports = 10n ** 10n) =>
    watchTreasury({
      ...signer,
      chain: { ...signer.chain, tokenBalance: async () => cotton(tokens), lamports: async () => lamports },
    })
  await record(0)
  expect(await sweptNow(signer)).toEqual([2_000])
  const { id } = await withdraw(world, wallets.at(-1)!, cotton(500))
  await runQuery(
    world.owner,
    `update withdrawals set state = 'approved', reasons = '{treasury_short}', retry_at = requested_at where id = $1`,
    [id],
  )
  // It waits for SOL: the treasury has its tokens.
  await record(500)
  expect(await sweptNow(signer)).toEqual([])
  // A sweep costs SOL, too.
  await record(499, 1n)
  expect(await sweptNow(signer)).toEqual([])
  await record(499)
  // One that its player has cancelled needs no tokens.
  await runQuery(world.owner, 'update withdrawals set cancelled_at = requested_at where id = $1', [id])
  expect(await sweptNow(signer)).toEqual([])
  await runQuery(world.owner, 'update withdrawals set cancelled_at = null where id = $1', [id])
  expect(await sweptNow(signer)).toEqual([999, 20])
  // The treasury has its tokens, but another payout in flight takes some of them.
  await createPlayerWith(world, { deposited: 30 })
  const other = await withdraw(world, wallets[2]!, cotton(1))
  const setState = (state: string) =>
    runQuery(world.owner, 'update withdrawals set state = $2 where id = $1', [other.id, state])
  await record(500)
  expect(await sweptNow(signer)).toEqual([])
  await setState('signed')
  expect(await sweptNow(signer)).toEqual([30])
  await setState('requested')
})
