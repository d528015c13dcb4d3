import { expect } from 'vitest'
import { openDb, sql } from '#server/platform/db/db.ts'
import { MONEY_METRICS } from '#server/platform/metrics/metric-table.ts'
import { createMetrics } from '#server/platform/metrics/registry.ts'
import { pauseWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import {
  addWithdrawal,
  checkReserve,
  clearMoney,
  runSigner,
  storeSetting,
  storeTreasury,
} from '#tests/support/money-situations.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { addMoneyMetrics } from './money-metrics.ts'

/** The samples of the game's own metrics, as the watcher with its own login serves them. */
async function scrape(world: TestWorld, url = world.urlFor('watcher')): Promise<string[]> {
  const db = openDb(url, { max: 2, applicationName: 'test-watcher' })
  const metrics = createMetrics('watcher')
  addMoneyMetrics(metrics, { db, clock: world.clock })
  const text = await metrics.text()
  await db.end()
  return text.split('\n').filter((line) => line.startsWith('cotton_'))
}

test('the metrics show what waits, what is owed and where the tokens are', async ({ world }) => {
  await clearMoney(world)
  const startSeconds = world.clock.now().getTime() / 1_000
  await checkReserve(world)
  await runSigner(world)
  await storeTreasury(world, ['sol_low'])
  await storeSetting(world, 'last_backup', { at: world.clock.now().toISOString() })
  await storeSetting(world, 'last_drill', { at: world.clock.now().toISOString(), ok: false })
  await addWithdrawal(world, 'review')
  world.clock.advance(90_000)
  await addWithdrawal(world, 'review')
  await pauseWithdrawals(world.db, { why: 'A test.', now: world.clock.now() })
  const samples = await scrape(world)
  expect(samples).toEqual(
    expect.arrayContaining([
      'cotton_withdrawals{state="review"} 2',
      'cotton_withdrawals{state="approved"} 0',
      'cotton_withdrawals_cotton{state="review"} 21',
      'cotton_withdrawal_oldest_age_seconds{state="review"} 90',
      'cotton_withdrawal_oldest_age_seconds{state="approved"} 0',
      'cotton_withdrawals_paused 1',
      'cotton_reserve_cotton{place="deposit_accounts"} 100',
      'cotton_owed_cotton{to="pool"} 400',
      'cotton_reserve_surplus_cotton 5',
      'cotton_reserve_breached 0',
      `cotton_reserve_checked_timestamp_seconds ${startSeconds}`,
      'cotton_reserve_check_duration_seconds 0.012',
      'cotton_sweep_oldest_age_seconds 0',
      'cotton_treasury_cotton 2.5',
      'cotton_treasury_sol 1.5',
      'cotton_treasury_low{asset="cotton"} 0',
      'cotton_treasury_low{asset="sol"} 1',
      'cotton_signer_stage{stage="ready"} 1',
      'cotton_signer_stage{stage="lanes"} 0',
      `cotton_signer_round_timestamp_seconds ${startSeconds}`,
      `cotton_backup_timestamp_seconds ${startSeconds}`,
      'cotton_drill_timestamp_seconds 0',
    ]),
  )
  const memory = samples.find((line) => line.startsWith('cotton_signer_resident_memory_bytes '))
  expect(Number(memory?.split(' ')[1])).toBeGreaterThan(1e6)
  await clearMoney(world)
})

test('the reserve minus what is owed is the surplus, whatever was credited later', async ({ world }) => {
  await clearMoney(world)
  await checkReserve(world)
  const samples = await scrape(world)
  const sumOf = (name: string): number =>
    samples
      .filter((line) => line.startsWith(`cotton_${name}`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  expect(samples).toContain('cotton_owed_cotton{to="credited_later"} -3')
  expect(sumOf('reserve_cotton{') - sumOf('owed_cotton{')).toBe(sumOf('reserve_surplus_cotton '))
  await clearMoney(world)
})

const setReasons = sql({
  name: 'test-set-reasons',
  params: { id: 'uuid', reasons: 'text[]' },
  text: ({ id, reasons }) => `update withdrawals set reasons = ${reasons} where id = ${id}`,
})

test('a withdrawal that waits for its player hides none that waits for the operator', async ({ world }) => {
  await clearMoney(world)
  const ageOfOldest = async () => {
    const of = 'cotton_withdrawal_oldest_age_seconds{state="approved"} '
    return (await scrape(world)).find((line) => line.startsWith(of))?.slice(of.length)
  }
  for (const reason of ['account_closed', 'account_unusable']) {
    const id = await addWithdrawal(world, 'approved')
    await world.db.rows(setReasons, { id, reasons: [reason] })
  }
  world.clock.advance(3_600_000)
  // A signer of an earlier version does not record what it waits for.
  expect(await ageOfOldest()).toBe('3600')
  await runSigner(world)
  expect(await ageOfOldest()).toBe('0')
  const id = await addWithdrawal(world, 'approved')
  await world.db.rows(setReasons, { id, reasons: ['treasury_short'] })
  world.clock.advance(90_000)
  await runSigner(world)
  expect(await ageOfOldest()).toBe('90')
  await clearMoney(world)
})

test('in a new game nothing waits, and what never happened was at 0', async ({ world }) => {
  await clearMoney(world)
  const samples = await scrape(world)
  expect(samples).toEqual(
    expect.arrayContaining([
      'cotton_withdrawals_paused 0',
      'cotton_reserve_checked_timestamp_seconds 0',
      'cotton_signer_round_timestamp_seconds 0',
      'cotton_backup_timestamp_seconds 0',
    ]),
  )
  expect(samples.filter((line) => /^cotton_(reserve_surplus|treasury)/.test(line))).toEqual([])
})

const insertReceipt = sql({
  name: 'test-insert-receipt',
  params: { signature: 'text', state: 'text', seenAt: 'timestamptz' },
  text: ({ signature, state, seenAt }) =>
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at)
     values (${signature}, 'account', 'wallet', 'cotton', 5, 1, ${state}, ${seenAt})`,
})
const dropReceipts = sql({ name: 'test-drop-receipts', text: `update receipts set state = 'dropped'` })
const removeReceipts = sql({ name: 'test-remove-receipts', text: 'delete from receipts' })

test('newer and vanished deposits do not change the age of the oldest pending one', async ({ world }) => {
  const arrive = async (signature: string, state: string) =>
    world.db.rows(insertReceipt, { signature, state, seenAt: world.clock.now() })
  await arrive('vanished', 'dropped')
  world.clock.advance(60_000)
  await arrive('oldest', 'pending')
  world.clock.advance(90_000)
  await arrive('newest', 'pending')
  const deposits = async () =>
    (await scrape(world)).filter((line) => /^cotton_deposit(s_pending|_oldest)/.test(line))
  expect(await deposits()).toEqual(['cotton_deposits_pending 2', 'cotton_deposit_oldest_age_seconds 90'])
  await world.db.rows(dropReceipts)
  expect(await deposits()).toEqual(['cotton_deposits_pending 0', 'cotton_deposit_oldest_age_seconds 0'])
  await world.db.rows(removeReceipts)
})

const insertSweep = sql({
  name: 'test-insert-sweep',
  params: { state: 'text', at: 'timestamptz' },
  text: ({ state, at }) =>
    `insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
     values (gen_random_uuid(), 'account', 5, ${state}, '', 1, ${state}, ${at})`,
})
const removeSweeps = sql({ name: 'test-remove-sweeps', text: 'delete from sweeps' })

test('a sweep that is signed again is young, and the last one that landed stays old', async ({ world }) => {
  const landedSeconds = world.clock.now().getTime() / 1_000
  for (const state of ['finalized', 'failed', 'signed']) {
    await world.db.rows(insertSweep, { state, at: world.clock.now() })
    world.clock.advance(90_000)
  }
  expect((await scrape(world)).filter((line) => line.startsWith('cotton_sweep'))).toEqual([
    'cotton_sweep_oldest_age_seconds 90',
    `cotton_sweep_landed_timestamp_seconds ${landedSeconds}`,
  ])
  await world.db.rows(removeSweeps)
})

test('while the database is unreachable the metrics of the money are absent and not 0', async ({ world }) => {
  const samples = await scrape(world, 'postgres://watcher@127.0.0.1:1/none')
  const names = new Set(samples.map((line) => line.split(/[ {]/)[0]!))
  // The watcher measures these itself.
  const read = Object.keys(MONEY_METRICS).filter((name) => !/^cotton_(chain_slot|deposit_unread)/.test(name))
  expect(read.filter((name) => names.has(name))).toEqual([])
  expect(samples).toContainEqual(
    expect.stringMatching(/^cotton_build_info\{version=".+",role="watcher"\} 1$/),
  )
})
