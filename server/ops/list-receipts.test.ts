import { expect } from 'vitest'
import { costOf, explainStatement, type SentStatement } from '#tests/support/explain-statement.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { rawSql } from '#tests/support/raw-sql.ts'
import { test } from '#tests/support/test-world.ts'
import { runCommand } from './ops.ts'

const ADDRESSES = 5_000
const RECEIPTS = 300

const addAddresses = {
  name: 'test-add-many-addresses',
  text: `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at)
    select n, 'owner ' || n, 'account ' || n, 'wallet ' || n, now() from generate_series(1, ${ADDRESSES}) n`,
}

const addReceipts = {
  name: 'test-add-many-receipts',
  text: `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, why, seen_at)
    select 'signature ' || n, (array['account ', 'owner ', 'other '])[1 + n % 3] || n, 'wallet ' || n, 'sol', 1, 1, 'unclaimed',
      'sol', now() - n * interval '1 s'
    from generate_series(1, ${RECEIPTS}) n`,
}

const addPending = {
  name: 'test-add-pending-receipt',
  text: `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at)
    values ('pending', 'account', 'ana', 'cotton', 1, 1, 'pending', now())`,
}

test('a deposit that is only not final yet needs no attention', async ({ world: { db, clock } }) => {
  await db.rows(rawSql(addPending))
  const lines: string[] = []
  await runCommand(['receipts'], { db, clock, say: (line) => void lines.push(line) })
  expect(lines).toEqual(['No receipt needs attention.'])
})

test('the list of receipts finds the address of each by its key', async ({ world: { db, clock } }) => {
  await db.rows(rawSql(addAddresses))
  await db.rows(rawSql(addReceipts))
  const sent: SentStatement[] = []
  const { rows } = interceptStatements(db, (statement, run) => {
    sent.push(statement)
    return run()
  })
  const lines: string[] = []
  await runCommand(['receipts'], { db: { ...db, rows }, clock, say: (line) => void lines.push(line) })
  const newest = Array.from({ length: 200 }, (_, at) => at + 1)
  expect(lines.filter((line) => line.startsWith('    of '))).toEqual(
    newest.map((n) => `    of wallet ${n}, at owner ${n} (index ${n})`),
  )
  expect(lines.at(-1)).toBe('Only the newest 200 are shown.')
  const [list] = sent
  expect(costOf(await explainStatement(db, list!)).read).toBeLessThan(ADDRESSES / 2)
})

const addLongMint = {
  name: 'test-add-long-mint',
  text: `insert into receipts (signature, token_account, asset, mint, amount, slot, state, why, seen_at)
    values ('long', 'long', 'other_token', repeat('m', 1000000), 7, 1, 'unclaimed', 'other_token', now() + interval '1 h')`,
}

test('a mint of any length that a login has stored is shown as long as an address', async ({
  world: { db, clock },
}) => {
  await db.rows(rawSql(addLongMint))
  const lines: string[] = []
  await runCommand(['receipts'], { db, clock, say: (line) => void lines.push(line) })
  expect(lines[0]).toMatch(/ {2}7 units of m{44}: another token, /)
})
