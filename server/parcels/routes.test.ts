import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { PARCELS } from '#game/world.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import { test } from '#tests/support/test-world.ts'

let app: FastifyInstance
test.beforeAll(async ({ world }) => {
  app = await serveApp(world)
})

const readLand = sql({
  name: 'test-read-land',
  params: { wallet: 'text' },
  row: rowOf<{ parcel_id: string; region: string; detail: object; price: bigint; isNow: boolean }>(),
  text: ({ wallet }) =>
    `select l.parcel_id, l.region, j.detail, l.price_paid as price, l.bought_at = j.at as "isNow"
     from land l join journals j on j.id = l.journal_id where l.wallet = ${wallet}`,
})

const get = async (url: string) => (await call(app, 'GET', url)).body

test('a purchase through the API changes price, statistics and land for everyone', async ({ world }) => {
  const player = await world.player({ deposited: 250_000 })
  const token = await logIn(app, player)
  const body = { parcelId: 'EU-FR', walletAddress: player.wallet, expectedPrice: 100_000 }
  const ofEurope = PARCELS.filter((parcel) => parcel.regionId === 'EU')
  expect(await get('/api/continent-price/EU')).toEqual({ success: true, currentPrice: 100_000 })
  const bought = await call(app, 'POST', '/api/parcels/purchase', { token, body })
  const { version } = bought.body
  expect(bought.body).toEqual({
    success: true,
    message: 'Parcel EU-FR purchased successfully for 100,000 tokens.',
    parcel: { parcelId: 'EU-FR', owned: true, ownerWallet: player.wallet, pricePaid: 100_000 },
    newContinentPrice: 102_000,
    newBalance: 150_000,
    version,
  })
  expect(await get('/api/continent-price/EU')).toEqual({ success: true, currentPrice: 102_000 })
  expect((await get('/api/continent-stats')).EU).toEqual({
    owned: 1,
    total: ofEurope.length,
    available: ofEurope.length - 1,
    currentPrice: 102_000,
    version,
  })
  const { basePrice: _, ...france } = ofEurope.find((parcel) => parcel.parcelId === 'EU-FR')!
  const own = await get(`/api/parcels?owner=${player.wallet}`)
  expect(own).toEqual([expect.objectContaining({ ...france, owned: true, ownerWallet: player.wallet })])
  expect(await get('/api/parcels?regionId=EU')).toHaveLength(ofEurope.length)
  expect(await world.db.rows(readLand, player)).toEqual([
    {
      parcel_id: 'EU-FR',
      region: 'EU',
      detail: { parcelId: 'EU-FR', price: 100_000 },
      price: 100_000_000_000n,
      isNow: true,
    },
  ])

  const late = await call(app, 'POST', '/api/parcels/purchase', {
    token,
    body: { ...body, parcelId: 'EU-DE' },
  })
  expect([late.status, late.body.newPrice]).toEqual([409, 102_000])
  const { expectedPrice: __, ...anyPrice } = body
  const second = await call(app, 'POST', '/api/parcels/purchase', {
    token,
    body: { ...anyPrice, parcelId: 'EU-DE' },
  })
  expect(second.body.newBalance).toBe(48_000)
})

test('land is asked for by continent or by owner, not by both or neither', async ({ world }) => {
  const { wallet } = await world.player()
  for (const query of ['', `?regionId=EU&owner=${wallet}`]) {
    const { status, body } = await call(app, 'GET', `/api/parcels${query}`)
    expect([status, body.field, body.message]).toEqual([400, 'regionId', expect.stringContaining('owner')])
  }
})
