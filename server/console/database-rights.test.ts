import { expect } from 'vitest'
import { openDb, sql } from '#server/platform/db/db.ts'
import { test } from '#tests/support/test-world.ts'

/** What somebody who has the database login of the console would try. */
const FORBIDDEN = [
  `update accounts set balance = balance + 1`,
  `insert into accounts (wallet, class, balance) values ('w', 'earned', 1)`,
  `insert into journals (id, wallet, kind, at, detail) values (gen_random_uuid(), 'w', 'funding', now(), '{}')`,
  `insert into entries (wallet, journal_id, line, account, amount) values ('w', gen_random_uuid(), 1, 'pool', 1)`,
  `update withdrawals set state = 'approved'`,
  `update withdrawals set cancelled_at = now()`,
  `select wallet_signature from withdrawals`,
  `insert into payouts (withdrawal_id, signature, signed_at) values (gen_random_uuid(), 's', now())`,
  `select wire from payouts`,
  `update operator_acts set state = 'done'`,
  `insert into operator_acts (nonce, kind, details, operator, signature, signed_form, at, expires_at, state, done_at)
   values (md5('1'), 'approve', '{}', 'w', decode(repeat('00', 64), 'hex'), 'raw', now(), now(), 'done', now())`,
  `delete from operator_acts`,
  `update operator_log set who = 'someone'`,
  `delete from operator_log`,
  `insert into operator_log (id, at, who, command, arguments, outcome) overriding system value
   values (9000000000000000000, now(), 'Ana', 'x', '{}', 'y')`,
  `insert into operator_log (at, who, command, arguments, outcome, login) values (now(), 'Ana', 'x', '{}', 'y', 'signer')`,
  `delete from frozen_wallets`,
  `select unfreeze_wallet('w')`,
  `delete from settings`,
  `update settings set value = '{}'`,
  `insert into settings (name, value) values ('market_opened_early', '["EU"]')`,
  `update sessions set ended_at = null`,
  `select token_hash from sessions`,
  `insert into sessions (token_hash, wallet, created_at, seen_at) values ('', 'w', now(), now())`,
  `select key from login_key`,
  `update users set created_at = now()`,
  `update continents set price = 1`,
  `update land set wallet = 'w'`,
  `update announcements set text = 'other'`,
  `update announcements set ends_at = now()`,
  `select term from role_terms`,
  `insert into restored_payouts (signature) values ('s')`,
  `create table sneaked (id int)`,
]

test('the login of the console cannot move money, pay, decide acts, unfreeze, open a market or become a player', async ({
  world,
}) => {
  const db = openDb(world.urlFor('console'), { max: 1, applicationName: 'test' })
  const allowed: string[] = []
  for (const [at, text] of FORBIDDEN.entries()) {
    const result = await db.rows(sql({ name: `test-forbidden-${at}`, text })).then(
      () => 'done',
      (error: unknown) => (error as { code?: string }).code,
    )
    if (result !== '42501') allowed.push(`${text}: ${result}`)
  }
  await db.end()
  expect(allowed).toEqual([])
})
