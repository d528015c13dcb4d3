import { expect } from 'vitest'
import type { Right } from '#contract/console/rights.ts'
import { NO_OPERATORS } from '#server/operators/read-operators.ts'
import { sql } from '#server/platform/db/db.ts'
import { addWithdrawal, clearMoney } from '#tests/support/money-situations.ts'
import { test } from '#tests/support/test-world.ts'
import { readOneWithdrawal } from './list-withdrawals.ts'

const addActs = sql({
  name: 'test-add-approvals',
  params: { id: 'uuid', at: 'timestamptz' },
  text: ({ id, at }) =>
    `insert into operator_acts (nonce, kind, withdrawal_id, details, operator, signature, signed_form, at, expires_at, state, done_at)
     select md5(n::text), kind, ${id}, '{}', operator, decode(repeat('00', 64), 'hex'), 'raw', ${at} - n * interval '1 second',
       ${at} + minutes * interval '1 minute', state, case when state <> 'waiting' then ${at} end
     from (values (1, 'approve', 'Olga', 60, 'waiting'), (2, 'approve', 'Olga', 60, 'done'), (3, 'approve', 'Ben', 0, 'done'),
       (4, 'approve', 'Vera', 60, 'waiting'), (5, 'approve', 'Zoe', 60, 'waiting'), (6, 'approve', 'Ann', 60, 'refused'),
       (7, 'reject', 'Ann', 60, 'waiting')) as a (n, kind, operator, minutes, state)`,
})

const operator = (name: string, ...rights: Right[]) =>
  [name, { wallet: name, name: `${name} herself`, rights: new Set(rights) }] as const

test('the approvals of a withdrawal are those that count: each operator with the right once, and none that expired', async ({
  world,
}) => {
  const id = await addWithdrawal(world, 'review')
  const now = world.clock.now()
  await world.db.rows(addActs, { id, at: now })
  const byWallet = new Map([
    operator('Olga', 'view', 'decide'),
    operator('Ben', 'view', 'decide'),
    operator('Ann', 'view', 'decide'),
    operator('Vera', 'view', 'adjust'),
  ])
  const readApprovals = async () => {
    const context = { operators: { ...NO_OPERATORS, byWallet }, now: world.clock.now() }
    return (await readOneWithdrawal(world.db, id, context))?.approvals
  }
  // Her first one. Ben's has just expired, Vera may not decide, nobody knows Zoe, and Ann's was refused.
  const first = new Date(now.getTime() - 2_000).toISOString()
  expect(await readApprovals()).toEqual([{ wallet: 'Olga', name: 'Olga herself', at: first }])
  world.clock.advance(60 * 60_000)
  expect(await readApprovals()).toEqual([])
  await clearMoney(world)
})
