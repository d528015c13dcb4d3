import { beforeEach, expect, test } from 'vitest'
import { type Cotton, cotton } from '#game/cotton.ts'
import { readLog } from '#server/ops/operator-log.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, readCreditOf, SITE, type TestWallet } from '#tests/support/chain-test-world.ts'
import { makeOps } from '#tests/support/operators.ts'
import { createKnownPlayer, newMainnetSigner } from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { findFailedCheck } from './failed-check.ts'
import { reviewRequests } from './review-requests.ts'
import { readRequested } from '#server/withdrawals/open-withdrawals.ts'
import { readWithdrawalFacts } from './read-facts.ts'
import { readWithdrawals } from '#server/withdrawals/read-withdrawals.ts'
import type { Signer } from '../signer.ts'

const world = setUpChainTestWorld()

const HOUR_MS = 3_600_000

beforeEach(() => world.skipDays(1))

async function reviewAll(signer: Signer): Promise<void> {
  while ((await readRequested(signer.db)).length > 0) await reviewRequests(signer)
}

const { operators, run } = makeOps(world)
const { key } = operators

const ops = (...args: string[]): Promise<string> => run(args)

test('withdrawals in review neither send others to review nor hide them from the operator', async () => {
  const honest = await createKnownPlayer(world, { deposited: 100 })
  const flooding = await createPlayerWith(world, { deposited: 230 })
  const signer = await newMainnetSigner(world)
  // Above the hourly limit of all wallets, and more than one page of the operator's list.
  for (let count = 0; count < 210; count++) await withdraw(world, flooding, cotton(1))
  await reviewAll(signer)
  const flood = await readWithdrawals(world.api, flooding.address)
  expect(new Set(flood.map((each) => each.state))).toEqual(new Set(['review']))

  await withdraw(world, honest, cotton(10))
  await reviewAll(signer)
  expect(await readNewestWithdrawal(world, honest)).toMatchObject({ state: 'requested', reasons: [] })
  const { id } = await readNewestWithdrawal(world, honest)
  await runQuery(world.owner, `update withdrawals set state = 'review' where id = $1`, [id])

  const page = await ops('withdrawals', '--state', 'review')
  expect(page).not.toContain(id)
  expect(page).toContain('211 withdrawals of 2 wallets in total')
  expect(page).toContain(`${flooding.address}  210, 210 $COTTON`)
  const next = /For the next ones use --after (\S+)\.$/m.exec(page)![1]!
  expect(await ops('withdrawals', '--state', 'review', '--after', next)).toContain(id)
  expect(await ops('withdrawals', '--wallet', honest.address)).toContain(id)
  expect(await ops('withdrawals', '--wallet', honest.address)).not.toContain(flooding.address)
  expect(await ops('withdrawals', '--wallet', honest.address, '--after', id)).toContain('after that one')
  await expect(ops('withdrawals', '--after', 'x')).rejects.toThrow('the id of a withdrawal')

  const rejecting = [...key('ana'), '--reason', 'Ask for it in one piece.']
  const rejected = await ops('reject', '--wallet', flooding.address, ...rejecting)
  expect(rejected).toContain('Rejected 210 of 210.')
  expect(await readCreditOf(world.owner, flooding.address)).toMatchObject({ deposited: cotton(230) })
  const log = await readLog(world.owner, 210)
  expect(new Set(log.map((line) => line.arguments.withdrawalId)).size).toBe(210)
  for (const line of log)
    expect(line).toMatchObject({ who: 'ana', command: 'reject', reason: 'Ask for it in one piece.' })
  expect(await readNewestWithdrawal(world, honest)).toMatchObject({ state: 'review' })
  await runQuery(world.owner, `update withdrawals set state = 'requested' where id = $1`, [id])
  await runUntilSettled(world, await world.newSigner(), [honest])
})

test('ids in a list are rejected one by one, and failures are reported', async () => {
  const [ana, ben] = [
    await createPlayerWith(world, { deposited: 10 }),
    await createPlayerWith(world, { deposited: 10 }),
  ]
  const ids = [
    (await withdraw(world, ana, cotton(1))).id,
    (await withdraw(world, ben, cotton(2))).id,
    (await withdraw(world, ben, cotton(3))).id,
  ]
  const unknown = '00000000-0000-4000-8000-000000000000'
  const by = [...key('zoe'), '--reason', 'Not today.']
  await expect(ops('reject', ids[0]!, unknown, ids[1]!, ids[0]!, ...by)).rejects.toThrow(
    '1 of 3 were not rejected',
  )
  expect((await readLog(world.owner, 2)).map((line) => line.outcome)).toEqual([
    expect.stringContaining('Rejected: 1 $COTTON'),
    expect.stringContaining('Rejected: 2 $COTTON'),
  ])
  expect((await readWithdrawals(world.api, ben.address)).map((each) => each.state)).toEqual([
    'requested',
    'refunded',
  ])
  await expect(ops('reject', ...by)).rejects.toThrow('Give the ids')
  await expect(ops('reject', ids[2]!, '--wallet', ben.address, ...by)).rejects.toThrow('Give the ids')
  await expect(ops('reject', '--wallet', ana.address, ...by)).rejects.toThrow('has no unsigned withdrawal')
  expect(await ops('reject', '--wallet', ben.address, ...by)).toContain('Rejected 1 of 1.')
})

test('withdrawals approved within the hour count, for all wallets together', async () => {
  const ana = await createKnownPlayer(world, { deposited: 100 })
  const ben = await createKnownPlayer(world, { deposited: 100 })
  const careful = await newMainnetSigner(world)
  const { settings } = careful
  const verdictOn = async (wallet: TestWallet, amount: number, perHour: { count: number; sum: Cotton }) => {
    await withdraw(world, wallet, cotton(amount))
    await reviewAll({ ...careful, settings: { ...settings, limits: { ...settings.limits, perHour } } })
    return (await readNewestWithdrawal(world, wallet)).reasons
  }
  const two = { count: 2, sum: cotton(1_000) }
  expect(await verdictOn(ana, 1, two)).toEqual([])
  expect(await verdictOn(ben, 1, two)).toEqual([])
  expect(await verdictOn(ana, 1, two)).toEqual(['world_pace'])
  world.clock.skip(HOUR_MS)
  const threeTokens = { count: 10, sum: cotton(3) }
  expect(await verdictOn(ana, 2, threeTokens)).toEqual([])
  expect(await verdictOn(ben, 2, threeTokens)).toEqual(['world_pace'])
})

test('an invalid day fails before any bound is checked', async () => {
  const wallet = await createPlayerWith(world, { deposited: 5, earned: 100 })
  await withdraw(world, wallet, cotton(50))
  const [withdrawal] = (await readRequested(world.owner)).filter((each) => each.wallet === wallet.address)
  const of = { site: SITE, now: world.clock.now() }
  expect(await findFailedCheck(world.owner, withdrawal!, of)).toBeNull()
  for (const day of ['infinity', '-infinity', '', '290000-01-01', '0044-03-15 BC', '2026-11-22T12:00:00Z'])
    expect(await findFailedCheck(world.owner, { ...withdrawal!, day }, of), day).toBe('invalid_day')
})

test.each(['infinity', '-infinity'])('a wallet whose first journal is at %s counts as new', async (at) => {
  const wallet = await createPlayerWith(world, { deposited: 5 })
  await withdraw(world, wallet, cotton(5))
  const [withdrawal] = (await readRequested(world.owner)).filter((each) => each.wallet === wallet.address)
  const of = { cluster: 'mainnet', now: world.clock.now() } as const
  class Undone extends Error {}
  const found: (number | null)[] = []
  const asWritten = world.owner.transaction(async (tx) => {
    await runQuery(tx, 'set local session_replication_role = replica')
    await runQuery(tx, 'alter table journals drop constraint journals_at_check')
    await runQuery(tx, 'update journals set at = $1::timestamptz where wallet = $2', [at, wallet.address])
    found.push((await readWithdrawalFacts(tx, withdrawal!, of)).ageMs)
    throw new Undone()
  })
  await expect(asWritten).rejects.toThrow(Undone)
  expect(found).toEqual([null])
})
