import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { numberedBy } from '#contract/console/acts.ts'
import { openDb } from '#server/platform/db/db.ts'
import { everyAct } from '#tests/support/every-act.ts'
import { rawSql } from '#tests/support/raw-sql.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { test } from '#tests/support/test-world.ts'
import { readWaitingActs, TARGET } from './operator-acts.ts'

const STORE = `insert into operator_acts (nonce, kind, details, operator, signature, signed_form, at, expires_at)
  values (md5($1), $2, $3, $2, decode(repeat('00', 64), 'hex'), $2, now(), now() + interval '1 hour')`

const largest = {
  kind: 'acknowledge',
  transaction: '1'.repeat(88),
  amount: '4611686018427.387903',
  debt: 'none',
  reason: '字'.repeat(300),
}

/** The statement that stores an act. Each act has another nonce. */
const storing = (kind: string, details: object) => {
  const json = JSON.stringify(details)
  return rawSql({ name: 'test-store-act', text: STORE }, [kind.length + json, kind, json])
}

test('the signer reads an act whole, and none of what is too large to be one', async ({ world }) => {
  const signer = openDb(world.urlFor('signer'), { max: 1, applicationName: 'test' })
  const read = async (kind: string, details: object) => {
    await world.db.rows(storing(kind, details))
    const acts = await readWaitingActs(signer, { limit: 100, without: [] })
    return acts.at(-1)
  }
  expect(await read('acknowledge', largest)).toMatchObject({ kind: 'acknowledge', details: largest })
  const name = 'x'.repeat(100)
  const forged = { kind: name, operator: name, signedForm: name, details: null }
  // Compressed it is smaller than an act may be.
  expect(await read('x'.repeat(1_000_000), { amount: '9'.repeat(100_000) })).toMatchObject(forged)
  const amount = randomBytes(500_000).toString('hex')
  expect(await read('x'.repeat(1_000_000), { amount })).toMatchObject(forged)
  await signer.end()
})

test('the console stores no act that is too large to be one', async ({ world }) => {
  const db = openDb(world.urlFor('console'), { max: 1, applicationName: 'test' })
  await db.rows(storing('acknowledge', { ...largest, reason: '語'.repeat(300) }))
  const [long, amount] = ['x'.repeat(101), '9'.repeat(4_096)]
  await expect(db.rows(storing(long, {}))).rejects.toThrow('an act of an operator is smaller')
  await expect(db.rows(storing('adjust', { amount }))).rejects.toThrow('an act of an operator is smaller')
  await db.end()
})

test('the database finds the target of every act that is numbered', async ({ world }) => {
  const text = `select ${TARGET} as target from (select $1::jsonb as details) act`
  const acts = everyAct({ wallet: testPlayer().wallet, withdrawalId: randomUUID() })
  for (const act of Object.values(acts)) {
    if (numberedBy(act) === null) continue
    const named = rawSql<{ target: string }>({ name: 'test-name-target', text }, [JSON.stringify(act)])
    expect(await world.db.rows(named), act.kind).toEqual([{ target: numberedBy(act) }])
  }
})
