import { beforeEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Chain } from '#server/chain/port.ts'
import { readLog } from '#server/ops/operator-log.ts'
import { runCommand } from '#server/ops/ops.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, readCreditOf, SITE, type TestWallet } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { findFailedCheck } from './failed-check.ts'
import { reviewRequests } from './review-requests.ts'
import { readRequested } from '#server/withdrawals/open-withdrawals.ts'
import { readWithdrawalFacts } from './read-facts.ts'
import { readWithdrawals } from '#server/withdrawals/read-withdrawals.ts'
import type { Signer } from '../signer.ts'

const world = setUpChainTestWorld()

const DAY_MS = 24 * 60 * 60_000

beforeEach(() => {
  world.clock.skip(DAY_MS)
})

/** A signer that has just come up on a chain where tokens are worth something. */
function carefulSigner(): Promise<Signer> {
  const chain: Chain = { ...world.chain, facts: { ...world.chain.facts, cluster: 'mainnet' } }
  return world.newSigner(chain)
}

/** A wallet whose first withdrawal was paid long ago. */
async function knownPlayer(): Promise<TestWallet> {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(1))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  world.clock.skip(4 * DAY_MS)
  return wallet
}

async function judgedAll(signer: Signer): Promise<void> {
  while ((await readRequested(signer.db)).length > 0) await reviewRequests(signer)
}

async function ops(...args: string[]): Promise<string> {
  const said: string[] = []
  await runCommand(args, { db: world.owner, clock: world.clock, say: (line) => void said.push(line) })
  return said.join('\n')
}

test('what waits in review sends nobody else there, and hides nobody from the operator', async () => {
  const honest = await knownPlayer()
  const flooding = await createPlayerWith(world, { deposited: 230 })
  const signer = await carefulSigner()
  // More than the world's hour lets out, and more than one page of the list shows.
  for (let count = 0; count < 210; count++) await withdraw(world, flooding, cotton(1))
  await judgedAll(signer)
  const flood = await readWithdrawals(world.api, flooding.address)
  expect(new Set(flood.map((each) => each.state))).toEqual(new Set(['review']))

  await withdraw(world, honest, cotton(10))
  await judgedAll(signer)
  expect(await readNewestWithdrawal(world, honest)).toMatchObject({ state: 'requested', reasons: [] })
  const { id } = await readNewestWithdrawal(world, honest)
  await runQuery(world.owner, `update withdrawals set state = 'review' where id = $1`, [id])

  const page = await ops('withdrawals', '--state', 'review')
  expect(page).not.toContain(id)
  expect(page).toContain('In all 211 withdrawals of 2 wallets')
  expect(page).toContain(`${flooding.address}  210, 210 $COTTON`)
  const next = /--after (\S+) shows the next ones/.exec(page)![1]!
  expect(await ops('withdrawals', '--state', 'review', '--after', next)).toContain(id)
  expect(await ops('withdrawals', '--wallet', honest.address)).toContain(id)
  expect(await ops('withdrawals', '--wallet', honest.address)).not.toContain(flooding.address)
  expect(await ops('withdrawals', '--wallet', honest.address, '--after', id)).toContain('after that one')
  await expect(ops('withdrawals', '--after', 'x')).rejects.toThrow('the id of a withdrawal')

  const rejecting = ['--by', 'Ana', '--reason', 'Ask for it in one piece.']
  const rejected = await ops('reject', '--wallet', flooding.address, ...rejecting)
  expect(rejected).toContain('Rejected 210 of 210.')
  expect(await readCreditOf(world.owner, flooding.address)).toMatchObject({ deposited: cotton(230) })
  const log = await readLog(world.owner, 210)
  expect(new Set(log.map((line) => line.arguments.id)).size).toBe(210)
  for (const line of log)
    expect(line).toMatchObject({ who: 'ana', command: 'reject', reason: 'Ask for it in one piece.' })
  expect(await readNewestWithdrawal(world, honest)).toMatchObject({ state: 'review' })
  await runQuery(world.owner, `update withdrawals set state = 'approved' where id = $1`, [id])
  await runUntilSettled(world, await world.newSigner(), [honest])
}, 90_000)

test('a list of ids is rejected one by one, and what cannot be is said and logged', async () => {
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
  const by = ['--by', 'zoe', '--reason', 'Not today.']
  await expect(ops('reject', ids[0]!, unknown, ids[1]!, ids[0]!, ...by)).rejects.toThrow(
    '1 of 3 were not rejected',
  )
  expect((await readLog(world.owner, 3)).map((line) => line.outcome)).toEqual([
    expect.stringContaining('Rejected: 1 $COTTON'),
    `Refused: There is no withdrawal ${unknown}.`,
    expect.stringContaining('Rejected: 2 $COTTON'),
  ])
  expect((await readWithdrawals(world.api, ben.address)).map((each) => each.state)).toEqual([
    'requested',
    'refunded',
  ])
  await expect(ops('reject', ...by)).rejects.toThrow('Give the ids')
  await expect(ops('reject', ids[2]!, '--wallet', ben.address, ...by)).rejects.toThrow('Give the ids')
  await expect(ops('reject', '--wallet', ana.address, ...by)).rejects.toThrow('waits unsigned')
  expect((await readLog(world.owner, 1))[0]).toMatchObject({ arguments: { wallet: ana.address } })
  expect(await ops('reject', '--wallet', ben.address, ...by)).toContain('Rejected 1 of 1.')
})

test('what went out within the hour counts, for all wallets together', async () => {
  const wallet = await knownPlayer()
  const careful = await carefulSigner()
  const { settings } = careful
  const perHour = { count: 2, sum: cotton(1_000) }
  const signer = { ...careful, settings: { ...settings, limits: { ...settings.limits, perHour } } }
  const verdicts: (readonly string[])[] = []
  for (let count = 0; count < 3; count++) {
    await withdraw(world, wallet, cotton(1))
    await judgedAll(signer)
    verdicts.push((await readNewestWithdrawal(world, wallet)).reasons)
  }
  expect(verdicts).toEqual([[], [], ['world_pace']])
})

test('a day that is none is doubted before any bound, whatever day it pretends to be', async () => {
  const wallet = await createPlayerWith(world, { deposited: 5, earned: 100 })
  await withdraw(world, wallet, cotton(50))
  const [asked] = (await readRequested(world.owner)).filter((each) => each.wallet === wallet.address)
  const of = { site: SITE, now: world.clock.now() }
  expect(await findFailedCheck(world.owner, asked!, of)).toBeNull()
  for (const day of ['infinity', '-infinity', '', '290000-01-01', '0044-03-15 BC', '2026-11-22T12:00:00Z'])
    expect(await findFailedCheck(world.owner, { ...asked!, day }, of), day).toBe('invalid_day')
})

test.each(['infinity', '-infinity'])('a wallet whose first move was at %s counts as new', async (at) => {
  const wallet = await createPlayerWith(world, { deposited: 5 })
  await withdraw(world, wallet, cotton(5))
  const [asked] = (await readRequested(world.owner)).filter((each) => each.wallet === wallet.address)
  const of = { cluster: 'mainnet', now: world.clock.now() } as const
  class Undone extends Error {}
  const found: (number | null)[] = []
  const asWritten = world.owner.transaction(async (tx) => {
    await runQuery(tx, 'set local session_replication_role = replica')
    await runQuery(tx, 'alter table journals drop constraint journals_at_check')
    await runQuery(tx, 'update journals set at = $1::timestamptz where wallet = $2', [at, wallet.address])
    found.push((await readWithdrawalFacts(tx, asked!, of)).ageMs)
    throw new Undone()
  })
  await expect(asWritten).rejects.toThrow(Undone)
  expect(found).toEqual([null])
})
