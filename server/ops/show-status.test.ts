import { expect } from 'vitest'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { interceptDb } from '#tests/support/intercept-statements.ts'
import { checkReserve } from '#tests/support/money-situations.ts'
import { ops } from '#tests/support/run-ops.ts'
import { test } from '#tests/support/test-world.ts'

test('a shortage that no later reserve check has confirmed does not read as covered', async ({ world }) => {
  const reserve = async () => /^reserve +(.*)$/m.exec(await ops(world, 'status'))?.[1]
  await checkReserve(world, { missing: 1 })
  expect(await reserve()).toMatch(/^TOKENS MISSING: 1 \$COTTON, /)
  await runQuery(world.db, 'update solvency set confirmed = false')
  expect(await reserve()).toMatch(/^UNCONFIRMED: the last check missed 1 \$COTTON, /)
  await checkReserve(world)
  expect(await reserve()).toMatch(/^covers what is owed, /)
})

test('the books are those of one moment, whatever players do while they are read', async ({ world }) => {
  await world.player({ deposited: 7 })
  const db = interceptDb(world.db, async ({ name }, run) => {
    if (name === 'operator-sum-credit') await world.player({ deposited: 1 })
    return run()
  })
  const output = await ops({ ...world, db }, 'status')
  const amountOf = (line: string) => new RegExp(`^${line} +(.*)$`, 'm').exec(output)?.[1]
  expect([amountOf('treasury on the books'), amountOf('owed as deposited')]).toEqual(['7', '7'])
})
