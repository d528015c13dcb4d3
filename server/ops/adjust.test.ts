import { expect } from 'vitest'
import { cotton, formatExact } from '#game/cotton.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { adjustBalance } from '#server/signer/acts/adjust-balance.ts'
import { fundPool } from '#tests/support/fund-pool.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { parseSignedAmount } from './parse-signed-amount.ts'
import { auditBooks } from './audit-books.ts'

const give = ({ db, clock }: TestWorld, wallet: string, amount: string): Promise<string> =>
  db.transaction((tx) =>
    adjustBalance(tx, {
      wallet,
      class: 'deposited',
      amount: parseSignedAmount(amount)!,
      reason: 'a lost deposit',
      now: clock.now(),
    }),
  )

test('an adjustment takes deposited credit from the pool, but not what today’s budget may still pay out', async ({
  world,
}) => {
  const { wallet } = await world.player({ deposited: 5 })
  await expect(give(world, wallet, '0.000001')).rejects.toThrow('The pool has only 0 $COTTON available')
  await fundPool(world, 1_000)
  await expect(give(world, wallet, '990.000001')).rejects.toThrow('The pool has only 990 $COTTON available')
  await give(world, wallet, '990')
  await expect(give(world, wallet, '0.000001')).rejects.toThrow(StartupError)
  const { treasury, pool } = await readWorldBalances(world.db)
  expect({ treasury, pool }).toEqual({ treasury: cotton(1_005), pool: cotton(10) })
  expect(await auditBooks(world.db)).toEqual([])
})

test('amounts are parsed and formatted with all digits', () => {
  for (const [text, units] of [
    ['-1234.5', -1_234_500_000n],
    ['+0.000001', 1n],
    ['7', 7_000_000n],
  ] as const)
    expect(parseSignedAmount(text)).toBe(units)
  for (const text of ['', '-', '1.', '.5', '1,000', '1.0000001', '1e3', ' 1', '１']) {
    expect(parseSignedAmount(text), text).toBeNull()
  }
  expect([-1_234_500_000n, 1n, 0n].map(formatExact)).toEqual(['-1,234.5', '0.000001', '0'])
})
