import { expect } from 'vitest'
import { runQuery } from '#tests/support/chain-test-world.ts'
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
