import { expect } from 'vitest'
import { PARCELS } from '#game/world.ts'
import { replyOf } from '#server/platform/answer.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { claim } from '#server/workers/claim.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { buy, list, listed } from '#tests/support/trade-land.ts'
import { auditBooks } from './audit-books.ts'
import { ANY_SIGNATURE } from '#tests/support/any-signature.ts'

// Each test buys a different parcel.
const land = PARCELS.filter((parcel) => parcel.regionId === 'EU').map((parcel) => parcel.parcelId)

async function playedWorld(world: TestWorld): Promise<string> {
  const player = await world.player({ earned: 50_000, deposited: 500_000 })
  await world.buy(player, land.shift()!)
  const workerId = await world.hire(player, 'kid')
  world.clock.advance(3_600_000)
  await world.db.transaction((tx) => claim(tx, [{ wallet: player.wallet, workerId, key: null }], world.clock))
  return player.wallet
}

test('a game that followed the rules has no findings (A-19)', async ({ world }) => {
  await playedWorld(world)
  expect(await auditBooks(world.db)).toEqual([])
})

const BREAKS: [law: string, breaks: string, repairs: string][] = [
  [
    'each type has as many workers as were sold',
    `update worker_types set sold = sold + 1 where worker_type = 'kid'`,
    `update worker_types set sold = sold - 1 where worker_type = 'kid'`,
  ],
  [
    'every worker was hired once by its owner, and every hire has its worker',
    `with more as (update worker_types set sold = sold + 1 where worker_type = 'kid')
     insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
     values ('w', 'kid-9999', 'kid', 5000, '2026-01-05', '2026-01-05')`,
    `with fewer as (update worker_types set sold = sold - 1 where worker_type = 'kid')
     delete from workers where wallet = 'w'`,
  ],
  [
    'the claimed amounts of workers match the ledger',
    'update workers set claimed = claimed + 1000000',
    'update workers set claimed = claimed - 1000000',
  ],
  [
    'the held amount is the sum of open withdrawals',
    `insert into withdrawals (id, wallet, deposited, earned, hold_id, state, day, requested_at, nonce, wallet_signature)
     values ('00000000-0000-7000-8000-000000000001', 'w', 5, 0, '00000000-0000-7000-8000-000000000002', 'requested', '2026-01-05', '2026-01-05', ${ANY_SIGNATURE})`,
    'delete from withdrawals',
  ],
  [
    'every credited receipt has its journal',
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at, journal_id)
     values ('s', 't', 'w', 'cotton', 5, 1, 'credited', '2026-01-05', '00000000-0000-7000-8000-000000000001')`,
    'delete from receipts',
  ],
  [
    'the spent budget of a day is the earned credit of its withdrawals',
    `insert into reward_days (day, budget, spent) values ('2026-01-05', 10, 5)`,
    'delete from reward_days',
  ],
  [
    'a withdrawal uses the budget of the day on which it was requested',
    `insert into withdrawals (id, wallet, deposited, earned, hold_id, state, day, requested_at, nonce, wallet_signature)
     values ('00000000-0000-7000-8000-000000000001', 'w', 0, 5, '00000000-0000-7000-8000-000000000002', 'finalized', '2026-01-05', '2026-01-05', ${ANY_SIGNATURE})`,
    'delete from withdrawals',
  ],
  [
    'the amounts that operators took back of payouts match the ledger',
    `insert into restored_payouts (signature, withdrawal_id, wallet, amount, deposited, journal_id)
     values ('s', '00000000-0000-7000-8000-000000000001', 'w', 5, 5, '00000000-0000-7000-8000-000000000002')`,
    'delete from restored_payouts',
  ],
  [
    'each continent has as much land as it counts',
    `update continents set owned = owned + 1 where code = 'EU'`,
    `update continents set owned = owned - 1 where code = 'EU'`,
  ],
  [
    'the price of a continent is its start price, raised by each sale',
    `update continents set price = price + 1000000 where code = 'EU'`,
    `update continents set price = price - 1000000 where code = 'EU'`,
  ],
  [
    'the prices paid for land match the ledger',
    `update land set journal_id = '00000000-0000-7000-8000-000000000001' where bought_at = (select max(bought_at) from land)`,
    `update land l set journal_id = j.id from journals j where j.kind = 'parcel' and j.detail ->> 'parcelId' = l.parcel_id`,
  ],
  [
    'the totals of a token account are the sums of its receipts and sweeps',
    `insert into token_account_totals (token_account, credited) values ('nobody', 5)`,
    `delete from token_account_totals where token_account = 'nobody'`,
  ],
  [
    'the totals of credit are the sums of balances and entries',
    'insert into credit_totals (shard, pool) values (-1, 5)',
    'delete from credit_totals where shard = -1',
  ],
]

for (const [law, breaks, repairs] of BREAKS) {
  test(`the audit reports a violation of "${law}"`, async ({ world }) => {
    await playedWorld(world)
    await world.db.rows(sql({ name: `break ${law}`.slice(0, 60), text: breaks }))
    const found = (await auditBooks(world.db)).map((finding) => finding.law)
    await world.db.rows(sql({ name: `repair ${law}`.slice(0, 60), text: repairs }))
    expect([...new Set(found)]).toEqual([expect.stringContaining(law)])
  })
}

for (const kind of ['deposited', 'pool', 'held', 'emission', 'burned', 'spent']) {
  test(`the audit reports a total of ${kind} that is not the sum of its rows`, async ({ world }) => {
    await world.db.rows(
      sql({ name: `test-break-${kind}`, text: `insert into credit_totals (shard, ${kind}) values (-1, 5)` }),
    )
    const found = await auditBooks(world.db)
    await world.db.rows(
      sql({ name: 'test-repair-totals', text: 'delete from credit_totals where shard = -1' }),
    )
    expect(found.map((finding) => finding.what)).toEqual([kind])
  })
}

test('the audit reports a withdrawal whose day is not a calendar date', async ({ world }) => {
  const check = 'withdrawals_day_check'
  const [known] = await world.db.rows(
    sql({
      name: 'test-read-check',
      params: { check: 'text' },
      row: rowOf<{ law: string }>(),
      text: ({ check }) =>
        `select pg_get_constraintdef(oid) as law from pg_constraint where conname = ${check}`,
    }),
    { check },
  )
  await world.db.rows(
    sql({ name: 'test-drop-check', text: `alter table withdrawals drop constraint ${check}` }),
  )
  for (const day of ['infinity', '-infinity']) {
    await world.db.rows(
      sql({
        name: 'test-add-endless',
        params: { day: 'date' },
        text: ({ day }) =>
          `insert into withdrawals (id, wallet, deposited, earned, hold_id, state, day, requested_at, nonce, wallet_signature)
           values (gen_random_uuid(), 'w', 0, 5, gen_random_uuid(), 'finalized', ${day}, '2026-01-05', ${ANY_SIGNATURE})`,
      }),
      { day },
    )
  }
  const found = await auditBooks(world.db)
  await world.db.rows(sql({ name: 'test-delete-endless', text: 'delete from withdrawals' }))
  await world.db.rows(
    sql({ name: 'test-add-check', text: `alter table withdrawals add constraint ${check} ${known!.law}` }),
  )
  expect(found.map(({ law }) => law)).toEqual(
    Array.from({ length: 2 }, () => 'a withdrawal uses the budget of the day on which it was requested'),
  )
  for (const day of ['-infinity', 'infinity'])
    expect(JSON.stringify(found)).toContain(`budget of ${day}, requested at`)
})

test('land belongs to its last buyer, also if the clock is set back between two sales', async ({ world }) => {
  const { parcelId, listingId } = await listed(world, 1_000)
  const [first, last] = [await world.player({ deposited: 1_000 }), await world.player({ deposited: 2_000 })]
  world.clock.advance(3_600_000)
  replyOf(await buy(world, first, listingId))
  const { id } = replyOf(await list(world, first, parcelId, 2_000)).listing
  world.clock.advance(-3_600_000)
  replyOf(await buy(world, last, id))
  expect(await auditBooks(world.db)).toEqual([])

  const move = sql({
    name: 'test-move-land',
    params: { parcelId: 'text', wallet: 'text' },
    text: ({ parcelId, wallet }) => `update land set wallet = ${wallet} where parcel_id = ${parcelId}`,
  })
  await world.db.rows(move, { parcelId, wallet: first.wallet })
  const found = await auditBooks(world.db)
  await world.db.rows(move, { parcelId, wallet: last.wallet })
  expect(found.map(({ law, what }) => [law, what])).toEqual([['land belongs to its last buyer', parcelId]])
})

// There is no index on entries by journal alone. With old statistics, as after a restore, Postgres would read all entries
// once for each journal, and an audit of a minute would take a day.
test('the audit joins entries and journals by wallet as well', async ({ world }) => {
  const texts: string[] = []
  const { rows } = interceptStatements(world.db, ({ text }) => {
    texts.push(text)
    return Promise.resolve([])
  })
  await auditBooks({ ...world.db, rows })
  const joins = texts.flatMap((text) => [...text.matchAll(/join (?:entries|journals) (\w+) on (.*)/g)])
  expect(joins.length).toBeGreaterThan(3)
  for (const [join, name, on] of joins.filter(([join]) => !join.includes('l.journal_id'))) {
    expect(on, join).toMatch(new RegExp(`^${name}\\.wallet = \\w\\.wallet and `))
  }
})
