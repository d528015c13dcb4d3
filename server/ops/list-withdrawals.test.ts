import { expect } from 'vitest'
import { sql } from '#server/platform/db/db.ts'
import { addWithdrawal, clearMoney } from '#tests/support/money-situations.ts'
import { ops } from '#tests/support/run-ops.ts'
import { test } from '#tests/support/test-world.ts'
import { runCommand } from './ops.ts'

const insertReplacedPayout = sql({
  name: 'test-insert-replaced-payout',
  params: { id: 'uuid', at: 'timestamptz', wire: 'bytea' },
  text: ({ id, at, wire }) =>
    `with payout as (
       insert into payouts (withdrawal_id, signature, signed_at) values (${id}, 'first attempt', ${at})
     )
     insert into payout_replacements (withdrawal_id, attempt, signature, wire, unit_price, signed_at)
     select ${id}, attempt, 'attempt ' || attempt, ${wire}, 1, ${at} from generate_series(2, 3) attempt`,
})

const markPaid = sql({
  name: 'test-mark-paid',
  params: { id: 'uuid', at: 'timestamptz' },
  text: ({ id, at }) =>
    `update withdrawals set state = 'finalized', settled_at = ${at}, paid_by = 'attempt 2' where id = ${id}`,
})

const cancelPostponed = sql({
  name: 'test-cancel-postponed',
  params: { id: 'uuid', at: 'timestamptz' },
  text: ({ id, at }) => `update withdrawals set retry_at = ${at}, cancelled_at = ${at} where id = ${id}`,
})

test('the list shows the transaction that pays, not one that was replaced', async ({ world }) => {
  await clearMoney(world)
  const { db, clock } = world
  const list = async (...filter: string[]) => {
    const lines: string[] = []
    await runCommand(['withdrawals', ...filter], { db, clock, say: (line) => void lines.push(line) })
    return lines.filter((line) => line.includes('transaction')).map((line) => line.trim())
  }
  const [id, at] = [await addWithdrawal(world, 'sent'), clock.now()]
  await db.rows(insertReplacedPayout, { id, at, wire: Buffer.from('wire') })
  expect(await list()).toEqual(['transaction attempt 3'])
  await db.rows(markPaid, { id, at })
  expect(await list('--state', 'finalized')).toEqual(['transaction attempt 2'])
  await clearMoney(world)
})

test('a list after a withdrawal that does not exist is refused, and not empty', async ({ world }) => {
  await clearMoney(world)
  const id = await addWithdrawal(world, 'review')
  const unknown = '00000000-0000-4000-8000-000000000000'
  const lines: string[] = []
  const { db, clock } = world
  const list = (after: string) =>
    runCommand(['withdrawals', '--after', after], { db, clock, say: (line) => void lines.push(line) })
  await expect(list(unknown)).rejects.toThrow(`There is no withdrawal ${unknown}.`)
  await list(id)
  expect(lines[0]).toBe('No withdrawal is open after that one.')
  await clearMoney(world)
})

test('what its player has cancelled says so, and is neither tried again nor counted as postponed', async ({
  world,
}) => {
  await clearMoney(world)
  const [id, at] = [await addWithdrawal(world, 'approved'), world.clock.now()]
  await world.db.rows(cancelPostponed, { id, at })
  const list = await ops(world, 'withdrawals')
  expect(list).toContain(`    cancelled by its player at ${at.toISOString()}`)
  expect(list).not.toContain('next attempt')
  const status = await ops(world, 'status')
  expect(status).toContain('in state approved')
  expect(status).not.toContain('of these postponed')
  await clearMoney(world)
})
