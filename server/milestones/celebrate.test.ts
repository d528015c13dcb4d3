import { expect } from 'vitest'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import { auditMilestones } from '#server/ops/audit-milestones.ts'
import { replyOf } from '#server/platform/answer.ts'
import { openDb, type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { claimAll } from '#server/workers/claim.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'
import { keyFor, test, type TestWorld } from '#tests/support/test-world.ts'
import { buy, list } from '#tests/support/trade-land.ts'
import { celebrate } from './celebrate.ts'
import { readFacts } from './read-facts.ts'

const ROUTE = '/api/milestones/celebrate'

const celebrateOnce = async (world: TestWorld, { wallet }: TestPlayer, key: string | null = null) => {
  const request = { wallet, key: key === null ? null : keyFor(ROUTE, key, { wallet }) }
  const [answer] = await world.db.transaction((tx) => celebrate(tx, [request], world.clock))
  return replyOf(answer!).granted
}

const readGrants = sql({
  name: 'test-read-grants',
  params: { wallet: 'text' },
  row: rowOf<{ code: string }>(),
  text: ({ wallet }) => `select code from milestones where wallet = ${wallet} order by code`,
})

const grantsOf = async (world: TestWorld, { wallet }: TestPlayer) =>
  (await world.db.rows(readGrants, { wallet })).map(({ code }) => code)

test('without anything reached nothing is granted', async ({ world }) => {
  expect(await celebrateOnce(world, await world.player({ deposited: 50_000 }))).toEqual([])
})

test('fifty calls at once, from two processes, celebrate a milestone once', async ({ world }) => {
  const player = await world.player({ deposited: 100_000 })
  await world.hire(player, 'kid')
  await world.hire(player, 'kid')
  const other = openDb(world.urlFor('api'), { max: 10, applicationName: 'test-other' })
  const submits = [world.db, other].map((db) => submitInBatches({ db, clock: world.clock }, celebrate))
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      submits[at % 2]!({ wallet: player.wallet, key: keyFor(ROUTE, `fifty-${at}`, {}) }),
    ),
  )
  await other.end()
  expect(replies.flatMap(({ granted }) => granted)).toEqual(['first-picker', 'kid-2'])
  expect(await grantsOf(world, player)).toEqual(['first-picker', 'kid-2'])
})

test('the second of two calls celebrates nothing, with or without a key', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  await world.hire(player, 'kid')
  expect(await celebrateOnce(world, player)).toEqual(['first-picker'])
  expect(await celebrateOnce(world, player)).toEqual([])
  expect(await grantsOf(world, player)).toEqual(['first-picker'])
})

test('a repeated key gets the same celebration, and a later milestone needs a new key', async ({ world }) => {
  const player = await world.player({ deposited: 100_000 })
  await world.hire(player, 'kid')
  expect(await celebrateOnce(world, player, 'first-try')).toEqual(['first-picker'])
  await world.hire(player, 'kid')
  expect(await celebrateOnce(world, player, 'first-try')).toEqual(['first-picker'])
  expect(await celebrateOnce(world, player, 'later-try')).toEqual(['kid-2'])
})

test('in one batch each player gets their own milestones, and the first of two calls celebrates', async ({
  world,
}) => {
  const [ana, ben] = [await world.player({ deposited: 50_000 }), await world.player({ deposited: 100_000 })]
  await world.hire(ana, 'kid')
  await world.hire(ben, 'grandma')
  await world.db.transaction(async (tx) => {
    const requests = [ana, ana, ben].map(({ wallet }) => ({ wallet, key: null }))
    const answers = await celebrate(tx, requests, world.clock)
    expect(answers.map((answer) => replyOf(answer).granted)).toEqual([['first-picker'], [], ['first-picker']])
  })
})

test('harvest levels count what was claimed, not what waits', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  await world.hire(player, 'kid')
  world.clock.advance(3_600_000)
  expect(await celebrateOnce(world, player)).toEqual(['first-picker'])
  await world.db.transaction((tx) =>
    claimAll(tx, [{ wallet: player.wallet, workerType: null, key: null }], world.clock),
  )
  expect(await celebrateOnce(world, player)).toEqual(['harvest-1000'])
})

/** Sells land of the first player to the second. */
async function sell(
  world: TestWorld,
  [seller, buyer]: readonly [TestPlayer, TestPlayer],
  parcelId: string,
): Promise<void> {
  const { listing } = replyOf(await list(world, seller, parcelId, 100))
  replyOf(await buy(world, buyer, listing.id))
}

test('a grant stays when the land is sold, the land still counts, and the buyer gets their own', async ({
  world,
}) => {
  const [seller, buyer] = [
    await world.player({ deposited: 1_000_000 }),
    await world.player({ deposited: 100_000 }),
  ]
  await world.buy(seller, 'SA-BR')
  expect(await celebrateOnce(world, seller)).toEqual(['countries-1'])
  await sell(world, [seller, buyer], 'SA-BR')
  await world.buy(seller, 'SA-PY')
  await world.buy(seller, 'SA-UY')
  // Brazil is gone, and still one of three.
  expect(await celebrateOnce(world, seller)).toEqual(['SA-3', 'first-sale'])
  expect(await grantsOf(world, seller)).toEqual(['SA-3', 'countries-1', 'first-sale'])
  expect(await celebrateOnce(world, buyer)).toEqual(['countries-1'])
})

test('land that was sold counts once, however often', async ({ world }) => {
  const [one, other] = [
    await world.player({ deposited: 1_000_000 }),
    await world.player({ deposited: 1_000_000 }),
  ]
  const sold = ['AF-TN', 'AF-BJ', 'AF-ER']
  for (const parcelId of sold) await world.buy(one, parcelId)
  for (const parcelId of [...sold, sold[0]!, sold[2]!]) {
    await sell(world, [one, other], parcelId)
    await sell(world, [other, one], parcelId)
  }
  for (const parcelId of sold) await sell(world, [one, other], parcelId)
  await world.buy(other, 'AF-MW')
  const facts = await readFacts(world.db, [one.wallet, other.wallet])
  expect(facts.get(one.wallet)).toMatchObject({ hasSold: true, parcelIds: sold.toSorted() })
  expect(facts.get(other.wallet)).toMatchObject({ hasSold: true, parcelIds: [...sold, 'AF-MW'].toSorted() })
})

test('land that is excluded does not count unless it was sold, and pickers that are sold out cannot be hired', async ({
  world,
}) => {
  const player = await world.player({ deposited: 1_000_000 })
  await world.buy(player, 'OC-FJ')
  const read = async (db: Queryable) => (await readFacts(db, [player.wallet])).get(player.wallet)!
  const whole = await read(world.db)
  const shrinking = world.db.transaction(async (tx) => {
    await tx.rows(sql({ name: 'test-exclude', text: excludeLand }))
    await tx.rows(sql({ name: 'test-sell-out', text: 'update worker_types set max_supply = sold + 2' }))
    const facts = await read(tx)
    expect(facts.landOf).toEqual({ ...whole.landOf, AN: whole.landOf.AN - 2, OC: whole.landOf.OC - 1 })
    expect(facts.countries).toBe(whole.countries - 2)
    expect(facts.available).toEqual({ kid: 2, grandma: 2, grandad: 2, bigman: 2 })
    throw new Error('roll back')
  })
  await expect(shrinking).rejects.toThrow('roll back')
})

// A sector and an island of Antarctica, and two countries of Oceania, one of them sold.
const excludeLand = `update continents set excluded = e.ids
  from (values ('AN', '{AN-01,AN-BV}'::text[]), ('OC', '{OC-FJ,OC-NZ}')) as e (code, ids) where continents.code = e.code`

test('the audit finds a grant that nothing has reached, and no other', async ({ world }) => {
  const player = await world.player({ deposited: 100_000 })
  await world.hire(player, 'kid')
  await celebrateOnce(world, player)
  expect(await auditMilestones(world.db)).toEqual([])
  const forging = world.db.transaction(async (tx) => {
    await tx.rows(forgeGrants, { wallet: player.wallet, codes: ['family', 'EU-all', 'no-such'] })
    const findings = await auditMilestones(tx)
    expect(findings.map(({ what }) => what)).toEqual(
      ['EU-all', 'family', 'no-such'].map((code) => `${player.wallet} ${code}`),
    )
    throw new Error('roll back')
  })
  await expect(forging).rejects.toThrow('roll back')
})

const forgeGrants = sql({
  name: 'test-forge-grants',
  params: { wallet: 'text', codes: 'text[]' },
  text: ({ wallet, codes }) =>
    `insert into milestones (wallet, code, granted_at) select ${wallet}, code, '2026-01-05T13:00:00Z' from unnest(${codes}) as f (code)`,
})

test('the api can add grants and neither change nor remove one', async ({ world }) => {
  const api = openDb(world.urlFor('api'), { max: 1, applicationName: 'test-api' })
  const text = { change: `update milestones set code = 'x'`, remove: 'delete from milestones' }
  await expect(api.rows(sql({ name: 'test-change-grants', text: text.change }))).rejects.toThrow('permission')
  await expect(api.rows(sql({ name: 'test-remove-grants', text: text.remove }))).rejects.toThrow('permission')
  await api.end()
  await expect(world.db.rows(sql({ name: 'test-owner-removes', text: text.remove }))).rejects.toThrow(
    'append-only',
  )
})

test('a player reads their own facts and grants, and celebrates for themselves only', async ({ world }) => {
  const app = await serveApp(world)
  const [player, other] = [await world.player({ deposited: 200_000 }), await world.player()]
  await world.hire(player, 'kid')
  await world.buy(player, 'EU-FR')
  const token = await logIn(app, player)
  const post = (walletAddress: string) => call(app, 'POST', ROUTE, { token, body: { walletAddress } })
  expect((await post(other.wallet)).body).toMatchObject({ code: 'wallet_of_another' })
  expect((await post(player.wallet)).body).toEqual({
    success: true,
    granted: ['first-picker', 'countries-1'],
  })
  const { body } = await call(app, 'GET', '/api/milestones', { token })
  expect(body).toEqual({
    success: true,
    facts: {
      workers: { kid: 1, grandma: 0, grandad: 0, bigman: 0 },
      available: expect.objectContaining({ bigman: 1_000 }),
      harvested: 0,
      hasSold: false,
      parcelIds: ['EU-FR'],
      landOf: expect.objectContaining({ SA: 14 }),
      countries: 249,
    },
    granted: ['countries-1', 'first-picker'].map((code) => ({
      code,
      grantedAt: world.clock.now().toISOString(),
    })),
  })
  expect((await call(app, 'GET', '/api/milestones')).status).toBe(401)
  await app.close()
})
