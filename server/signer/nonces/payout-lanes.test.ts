import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, ChainUnavailable, type Nonce, type Wire } from '#server/chain/port.ts'
import { readWithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import { createPlayerWith, runUntilSettled, withdraw } from '#tests/support/chain-test-players.ts'
import { runQuery, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { createNode } from '#tests/support/nodes.ts'
import { deletePayouts, expectPaidOnce } from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { signApproved } from '../payouts/sign-approved.ts'
import { reviewRequests } from '../review/review-requests.ts'
import type { Signer } from '../signer.ts'
import { createSigningRound } from '../start-signer.ts'
import { findLanes, openLanes } from './open-lanes.ts'
import { renewLanes } from './renew-lanes.ts'

const world = setUpChainTestWorld()

/** A signer that has just started with this many lanes. */
async function startWith(payoutLanes: number, chain: Chain = world.chain): Promise<Signer> {
  const signer = await world.newSigner(chain)
  return { ...signer, settings: { ...signer.settings, payoutLanes } }
}

/** The same, once it may sign. */
async function startReadyWith(payoutLanes: number): Promise<Signer> {
  const signer = await startWith(payoutLanes)
  await waitUntil(async () => {
    await openLanes(signer)
    return (await countLanes()) >= payoutLanes && (await renewLanes(signer))
  })
  return signer
}

const countLanes = async (): Promise<number> => (await runQuery(world.owner, 'select from lanes')).length

const lanesOf = async ({ address }: TestWallet): Promise<number[]> =>
  (
    await runQuery<{ lane: number }>(
      world.owner,
      'select lane from payouts p join withdrawals w on w.id = p.withdrawal_id where w.wallet = $1 order by lane',
      [address],
    )
  ).map((row) => row.lane)

/** A player with this many requested withdrawals. */
async function createWithdrawer(count: number): Promise<TestWallet> {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  for (let at = 1; at <= count; at++) await withdraw(world, wallet, cotton(at))
  return wallet
}

test('with lanes raised and lowered between starts, each withdrawal is paid once', async () => {
  const wallet = await createWithdrawer(7)
  const few = await startReadyWith(2)
  await reviewRequests(few)
  await signApproved(few)
  expect(await lanesOf(wallet)).toEqual([1, 2])

  const many = await startReadyWith(6)
  await signApproved(many)
  expect(await lanesOf(wallet)).toEqual([1, 2, 3, 4, 5, 6])

  // The payouts on lanes 2 to 6 are in flight when a signer with one lane starts.
  const one = await startWith(1)
  await runUntilSettled(world, one, [wallet])
  await expectPaidOnce(world, wallet)
  expect(await lanesOf(wallet)).toEqual([1, 1, 2, 3, 4, 5, 6])

  const later = await createWithdrawer(3)
  await runUntilSettled(world, one, [later])
  await expectPaidOnce(world, later)
  expect(new Set(await lanesOf(later))).toEqual(new Set([1]))
})

test('a payout on a lane that a restored database does not know pays nobody twice, with fewer lanes too', async () => {
  const wallet = await createWithdrawer(3)
  const many = await startReadyWith(8)
  await reviewRequests(many)
  // Lanes 1 to 6 are busy with something else.
  await signApproved({ ...many, db: withoutFirstLanes(many.db) })
  expect(await lanesOf(wallet)).toEqual([7, 8])
  const signed = await runQuery<{ wire: Buffer }>(
    world.owner,
    'select wire from payouts p join withdrawals w on w.id = p.withdrawal_id where w.wallet = $1',
    [wallet.address],
  )
  await deletePayouts(world, wallet)
  await runQuery(world.owner, 'delete from lanes where lane > 1')

  // The bytes that the lost database contained are sent when the restored one has already signed.
  const late: Chain = {
    ...world.chain,
    async send(wire, options) {
      if ((await lanesOf(wallet)).length > 0)
        for (const each of signed)
          await world.chain.send(each.wire.toString('base64') as Wire, { skipPreflight: true })
      return world.chain.send(wire, options)
    },
  }
  await runUntilSettled(world, await startWith(1, late), [wallet])
  await expectPaidOnce(world, wallet)
  expect(await lanesOf(wallet)).toEqual([1, 1, 1])
})

test('nothing is signed until two nodes have answered which lanes exist', async () => {
  const wallet = await createWithdrawer(1)
  const silent = async () => Promise.reject(new ChainUnavailable('no answer in time'))
  const nodes = [createNode(world.chain), createNode(world.chain, { nonceValues: silent })]
  const alone = await startWith(1, { ...world.chain, nodes })
  expect(await findLanes(alone)).toBe(false)
  const round = createSigningRound(alone)
  for (let each = 0; each < 3; each++) await round()
  expect(await lanesOf(wallet)).toEqual([])
  const both = { ...world.chain, nodes: [createNode(world.chain), createNode(world.chain)] }
  expect(await findLanes(await startWith(1, both))).toBe(true)
  await runUntilSettled(world, await startWith(1), [wallet])
})

test('a lane that only one of several nodes shows is not recorded', async () => {
  const known = await countLanes()
  const invented = '9'.repeat(43) as Nonce
  const nonceValue = async () => invented
  const lying = createNode(world.chain, {
    nonceValue,
    nonceValues: async (accounts) => accounts.map(() => invented),
  })
  // The lying node is the first, which also answers what only one is asked.
  const nodes = [lying, createNode(world.chain), createNode(world.chain)]
  const signer = await startWith(32, { ...world.chain, nonceValue, nodes })
  await openLanes(signer)
  expect(await countLanes()).toBe(known)
  expect(await findLanes(signer)).toBe(false)
  expect(await countLanes()).toBe(known)
  expect(await findLanes(await startWith(32))).toBe(true)
  expect(await countLanes()).toBe(known)
})

test('PAYOUT_LANES is a number from 1 to 32', () => {
  expect(readWithdrawalSettings({}).payoutLanes).toBe(4)
  expect(readWithdrawalSettings({ PAYOUT_LANES: '32' }).payoutLanes).toBe(32)
  for (const wrong of ['0', '33', 'many'])
    expect(() => readWithdrawalSettings({ PAYOUT_LANES: wrong })).toThrow('PAYOUT_LANES')
})

/** A database in which the lanes 1 to 6 are taken. */
const withoutFirstLanes = (db: Signer['db']): Signer['db'] =>
  ({
    ...db,
    async rows(...args: Parameters<Signer['db']['rows']>) {
      const rows = await db.rows(...args)
      return args[0].name === 'lanes-read-free' ? rows.slice(6) : rows
    },
  }) as Signer['db']
