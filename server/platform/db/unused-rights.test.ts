import { expect } from 'vitest'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test } from '#tests/support/test-world.ts'
import { openDb } from './db.ts'

test.for([
  ['api', 'select term from role_terms'],
  ['watcher', 'select claimed from workers'],
  ['watcher', 'select wallet from frozen_wallets'],
  ['signer', 'select at from supply_history'],
  ['signer', `insert into reward_day_wallets (day, wallet) values ('2026-01-05', 'w')`],
] as const)('the login %s has no right that no program uses: %s', async ([login, text], { world }) => {
  const db = openDb(world.urlFor(login), { max: 1, applicationName: 'test' })
  await expect(runQuery(db, text)).rejects.toThrow('permission denied')
  await db.end()
})
