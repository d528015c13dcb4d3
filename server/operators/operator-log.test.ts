import { expect } from 'vitest'
import { openDb } from '#server/platform/db/db.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test } from '#tests/support/test-world.ts'

const ADD = `insert into operator_log (at, who, command, arguments, reason, outcome)
  values ($1::timestamptz, $2::text, $2::text, jsonb_build_object('a', $2::text), $2::text, $2::text)`

const READ = `select login, at between to_timestamp(0) and to_timestamp(253402300799) as "isFinite", length(who) as who,
    length(command) as command, arguments, length(reason) as reason, length(outcome) as outcome
  from operator_log where login = $1 order by id`

test.for(['console', 'signer'] as const)(
  'a line of the log that the login %s adds has a time and a length that can be shown, and names the login',
  async (login, { world }) => {
    const db = openDb(world.urlFor(login), { max: 1, applicationName: 'test' })
    const times = ['infinity', '-infinity', '290000-01-01']
    for (const at of times) await runQuery(db, ADD, [at, 'x'.repeat(1_000_000)])
    await db.end()
    const bounded = { who: 100, command: 100, arguments: {}, reason: 4_000, outcome: 4_000 }
    const line = { login, isFinite: true, ...bounded }
    expect(await runQuery(world.db, READ, [login])).toEqual(times.map(() => line))
  },
)
