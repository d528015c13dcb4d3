import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { PARCELS } from '#game/world.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { replyOf } from '#server/platform/answer.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import { type TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'

let app: FastifyInstance
test.beforeAll(async ({ world }) => {
  app = await serveApp(world, { marketMode: 'open' })
})

const readSale = sql({
  name: 'test-read-sale',
  params: { listingId: 'uuid' },
  row: rowOf<{ wallet: string; detail: object; isNow: boolean }>(),
  text: ({ listingId }) =>
    `select j.wallet, j.detail, l.closed_at = j.at as "isNow"
     from listings l join journals j on j.id = l.journal_id where l.id = ${listingId}`,
})

let nextParcel = 0

async function landowner(world: TestWorld): Promise<{ owner: TestPlayer; token: string; parcelId: string }> {
  const { parcelId } = PARCELS[nextParcel++]!
  const owner = await world.player({ deposited: 1_000_000 })
  const request = { wallet: owner.wallet, parcelId, expectedPrice: null, key: null }
  replyOf((await world.db.transaction((tx) => buyParcels(tx, [request], world.clock)))[0]!)
  return { owner, token: await logIn(app, owner), parcelId }
}

test('a price that is not a whole number from 1 to 10¹² is malformed', async ({ world }) => {
  const { owner, token, parcelId } = await landowner(world)
  for (const price of [0, -1, 0.5, 1.000001, 1e12 + 1, 1e21, '5', 'NaN', null, [5], true]) {
    const body = { parcelId, price, walletAddress: owner.wallet }
    const answer = await call(app, 'POST', '/api/marketplace/list', { token, body })
    expect([price, answer.status, answer.body.field]).toEqual([price, 400, 'price'])
  }
  const body = { parcelId, price: 1e12, walletAddress: owner.wallet }
  const answer = await call(app, 'POST', '/api/marketplace/list', { token, body })
  expect(answer.body.listing).toMatchObject({ displayPrice: 1e12, status: 'active' })
})

test('a listing is sold through the API, and everyone sees the market change', async ({ world }) => {
  const { owner, token, parcelId } = await landowner(world)
  const buyer = await world.player({ deposited: 5_000 })
  const buyerToken = await logIn(app, buyer)
  const offer = await call(app, 'POST', '/api/marketplace/list', {
    token,
    body: { parcelId, price: 5_000, walletAddress: owner.wallet },
  })
  expect(offer.body).toMatchObject({ success: true, message: 'Your land is on the market.' })
  const { id: listingId } = offer.body.listing as { id: string }
  const seen = await call(app, 'GET', '/api/marketplace/listings')
  expect(seen.body).toMatchObject({ success: true, open: true })
  expect(JSON.stringify(seen.body)).toContain(listingId)

  const own = await call(app, 'POST', '/api/marketplace/purchase', {
    token,
    body: { listingId, walletAddress: owner.wallet },
  })
  expect([own.status, own.body.message]).toEqual([403, 'You cannot purchase your own listing.'])
  const buyAt = (expectedPrice: number) =>
    call(app, 'POST', '/api/marketplace/purchase', {
      token: buyerToken,
      body: { listingId, walletAddress: buyer.wallet, expectedPrice },
    })
  const moved = await buyAt(4_999)
  expect([moved.status, moved.body.newPrice]).toEqual([409, 5_000])
  const bought = await buyAt(5_000)
  expect(bought.body).toMatchObject({ success: true, message: 'Purchase successful! The land is now yours.' })
  expect(JSON.stringify((await call(app, 'GET', '/api/marketplace/listings')).body)).not.toContain(listingId)
  expect(await world.db.rows(readSale, { listingId })).toEqual([
    { wallet: buyer.wallet, detail: { listingId, parcelId, price: 5_000 }, isNow: true },
  ])
  const land = await app.inject({ url: `/api/parcels?owner=${buyer.wallet}` })
  expect(land.json()).toMatchObject([{ parcelId, ownerWallet: buyer.wallet }])
  const sales = await call(app, 'GET', `/api/parcels/${parcelId}/sales`)
  expect(sales.body.sales).toMatchObject([{ by: 'game' }, { by: 'player', price: 5_000 }])

  const url = `/api/marketplace/listings/user/${owner.wallet}`
  const mine = await call(app, 'GET', url, { token })
  expect(mine.body.listings).toMatchObject([{ status: 'sold', buyerWalletAddress: buyer.wallet }])
  expect((await call(app, 'GET', url)).body.listings).toEqual([])
  expect((await call(app, 'GET', url, { token: 'not-a-token' })).status).toBe(401)
})

test('the sales of unknown land are refused', async () => {
  const { status, body } = await call(app, 'GET', '/api/parcels/EU-ZZ/sales')
  expect([status, body.message]).toEqual([404, 'This parcel does not exist.'])
})

test('a cancelled listing leaves the market at once', async ({ world }) => {
  const { owner, token, parcelId } = await landowner(world)
  const { wallet: walletAddress } = owner
  const body = { parcelId, price: 5, walletAddress }
  const offer = await call(app, 'POST', '/api/marketplace/list', { token, body })
  const { id } = offer.body.listing as { id: string }
  const readMarket = async () => JSON.stringify((await call(app, 'GET', '/api/marketplace/listings')).body)
  expect(await readMarket()).toContain(id)
  await call(app, 'POST', `/api/marketplace/cancel/${id}`, { token, body: { walletAddress } })
  expect(await readMarket()).not.toContain(id)
})

test('one key for two listings is refused for the second', async ({ world }) => {
  const { owner, token, parcelId } = await landowner(world)
  const second = PARCELS[nextParcel++]!.parcelId
  const request = { wallet: owner.wallet, parcelId: second, expectedPrice: null, key: null }
  replyOf((await world.db.transaction((tx) => buyParcels(tx, [request], world.clock)))[0]!)
  const ids = []
  for (const each of [parcelId, second]) {
    const body = { parcelId: each, price: 5, walletAddress: owner.wallet }
    const { body: reply } = await call(app, 'POST', '/api/marketplace/list', { token, body })
    ids.push((reply.listing as { id: string }).id)
  }
  const cancel = (id: string) =>
    call(app, 'POST', `/api/marketplace/cancel/${id}`, {
      token,
      body: { walletAddress: owner.wallet },
      headers: { 'idempotency-key': 'the-same-key' },
    })
  expect((await cancel(ids[0]!)).body).toMatchObject({
    success: true,
    message: 'Listing cancelled successfully.',
  })
  expect((await cancel(ids[0]!)).body).toMatchObject({ success: true })
  expect((await cancel(ids[1]!)).status).toBe(422)
})

test('a listing is found by its id in upper case too', async ({ world }) => {
  const { owner, token, parcelId } = await landowner(world)
  const buyer = await world.player({ deposited: 5 })
  const list = async (by: { wallet: string; token: string }): Promise<string> => {
    const body = { parcelId, price: 5, walletAddress: by.wallet }
    const { body: reply } = await call(app, 'POST', '/api/marketplace/list', { token: by.token, body })
    return (reply.listing as { id: string }).id.toUpperCase()
  }
  const buyerToken = await logIn(app, buyer)
  const bought = await call(app, 'POST', '/api/marketplace/purchase', {
    token: buyerToken,
    body: { listingId: await list({ wallet: owner.wallet, token }), walletAddress: buyer.wallet },
  })
  expect(bought.body).toMatchObject({ success: true, parcelId })
  const again = await list({ wallet: buyer.wallet, token: buyerToken })
  const cancelled = await call(app, 'POST', `/api/marketplace/cancel/${again}`, {
    token: buyerToken,
    body: { walletAddress: buyer.wallet },
  })
  expect(cancelled.body).toMatchObject({ success: true })
  const { body } = await call(app, 'GET', '/api/marketplace/listings')
  expect((body.listings as { parcelId: string }[]).map((each) => each.parcelId)).not.toContain(parcelId)
})

test('a closed market refuses listings with a message (A-22)', async ({ world }) => {
  const { owner, token, parcelId } = await landowner(world)
  const closed = await serveApp(world, { marketMode: 'closed' })
  const body = { parcelId, price: 5, walletAddress: owner.wallet }
  const answer = await call(closed, 'POST', '/api/marketplace/list', { token, body })
  expect([answer.status, answer.body.message]).toEqual([409, 'The marketplace is not open.'])
  expect((await call(closed, 'GET', '/api/marketplace/listings')).body.open).toBe(false)
})
