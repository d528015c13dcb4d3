import fc from 'fast-check'
import { expect } from 'vitest'
import { type ContinentCode, CONTINENTS } from '#game/continents.ts'
import { baseUnits, type Cotton, cotton, toWire } from '#game/cotton.ts'
import { nextPrice, START_PRICE } from '#game/parcels.ts'
import { PARCELS } from '#game/world.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { type TestPlayer } from '#tests/support/test-player.ts'
import { keyFor, test, type TestWorld } from '#tests/support/test-world.ts'
import { buyParcels, type ParcelBuy } from './buy-parcels.ts'

const buyOf = (player: TestPlayer, parcelId: string, more: Partial<ParcelBuy> = {}): ParcelBuy => ({
  wallet: player.wallet,
  parcelId,
  expectedPrice: null,
  key: null,
  ...more,
})

const buyAll = (world: TestWorld, buys: readonly ParcelBuy[]) =>
  world.db.transaction((tx) => buyParcels(tx, buys, world.clock))

const buy = async (world: TestWorld, ...args: Parameters<typeof buyOf>) =>
  (await buyAll(world, [buyOf(...args)]))[0]!

const landOf = (region: ContinentCode) =>
  PARCELS.filter((parcel) => parcel.regionId === region).map((parcel) => parcel.parcelId)

const continent = async (world: TestWorld, code: ContinentCode) => {
  const [row] = await world.db.rows(
    sql({
      name: 'test-continent',
      params: { code: 'text' },
      row: rowOf<{ price: bigint; owned: number; version: bigint }>(),
      text: ({ code }) => `select price, owned, version from continents where code = ${code}`,
    }),
    { code },
  )
  return { ...row!, price: baseUnits(row!.price) }
}

/** The prices of `sales` consecutive sales from `price` on, and the price after them. */
function chain(price: Cotton, sales: number): { charged: number[]; next: number } {
  let at = price
  const charged = Array.from({ length: sales }, () => {
    const now = at
    at = nextPrice(at)
    return toWire(now)
  })
  return { charged, next: toWire(at) }
}

test.beforeEach(async ({ world }) => {
  await world.db.rows(sql({ name: 'test-clear-land', text: 'delete from land' }))
  await world.db.rows(
    sql({
      name: 'test-clear-continents',
      text: `update continents set price = start_price, owned = 0, excluded = '{}', version = version + 1`,
    }),
  )
})

test('a sale charges the price of the continent, and the next one two percent more (A-06)', async ({
  world,
}) => {
  const player = await world.player({ deposited: 250_000 })
  const first = await buy(world, player, 'EU-FR')
  expect(first.reply).toEqual({
    success: true,
    message: 'Parcel EU-FR purchased successfully for 100,000 tokens.',
    parcel: { parcelId: 'EU-FR', owned: true, ownerWallet: player.wallet, pricePaid: 100_000 },
    newContinentPrice: 102_000,
    newBalance: 150_000,
    version: Number((await continent(world, 'EU')).version),
  })
  const second = await buy(world, player, 'EU-DE')
  expect(second.reply).toMatchObject({ newContinentPrice: 104_040, newBalance: 48_000 })
  expect((await continent(world, 'AS')).price).toBe(START_PRICE)
})

test('two hundred buyers of one parcel make one owner and one charge (A-07)', async ({ world }) => {
  const buyers = await Promise.all(Array.from({ length: 200 }, () => world.player({ deposited: 150_000 })))
  const answers = await Promise.all(buyers.map((buyer) => buy(world, buyer, 'OC-AU')))
  const won = answers.flatMap((answer) => answer.reply ?? [])
  expect(won).toHaveLength(1)
  expect(answers.filter((answer) => answer.refusal?.code === 'parcel_owned')).toHaveLength(199)
  const balances = await Promise.all(buyers.map((buyer) => world.balance(buyer)))
  expect(balances.reduce((sum, each) => sum + each, 0n)).toBe(cotton(200 * 150_000 - 100_000))
  const owner = buyers[answers.findIndex((answer) => answer.reply)]!
  expect(won[0]!.parcel.ownerWallet).toBe(owner.wallet)
  expect(await continent(world, 'OC')).toMatchObject({ price: cotton(102_000), owned: 1 })
})

test('two hundred buyers across a continent raise its price by exact steps (A-07)', async ({ world }) => {
  const land = landOf('AF')
  const buyers = await Promise.all(Array.from({ length: 200 }, () => world.player({ deposited: 400_000 })))
  const answers = await Promise.all(buyers.map((buyer, at) => buy(world, buyer, land[at % land.length]!)))
  const sold = answers.flatMap((answer) => answer.reply ?? [])
  expect(sold.map((reply) => reply.parcel.parcelId).toSorted()).toEqual(land.toSorted())
  const { charged, next } = chain(START_PRICE, land.length)
  expect(sold.map((reply) => reply.parcel.pricePaid).toSorted((a, b) => a - b)).toEqual(charged)
  for (const reply of sold) {
    expect(reply.newContinentPrice).toBe(toWire(nextPrice(cotton(reply.parcel.pricePaid))))
  }
  expect(await continent(world, 'AF')).toMatchObject({ price: cotton(next), owned: land.length })
  const left = await Promise.all(buyers.map((buyer) => world.balance(buyer)))
  const spent = charged.reduce((sum, each) => sum + each, 0)
  expect(left.reduce((sum, each) => sum + each, 0n)).toBe(cotton(200 * 400_000 - spent))
})

test('batches over the same continents in any order never deadlock', async ({ world }) => {
  const buyers = await Promise.all(Array.from({ length: 50 }, () => world.player({ deposited: 900_000 })))
  let tries = 0
  const batches = buyers.map((buyer, at) => {
    const buys = [buyOf(buyer, landOf('EU')[at]!), buyOf(buyer, landOf('AS')[at]!)]
    return world.db.transaction((tx) => {
      tries += 1
      return buyParcels(tx, at % 2 === 0 ? buys : buys.toReversed(), world.clock)
    })
  })
  for (const answers of await Promise.all(batches)) {
    expect(answers.map((answer) => answer.refusal ?? null)).toEqual([null, null])
  }
  expect(tries).toBe(buyers.length)
})

test('an outdated expected price charges nothing and returns the new price (X-07)', async ({ world }) => {
  const player = await world.player({ deposited: 500_000 })
  await buy(world, player, 'EU-FR')
  const moved = await buy(world, player, 'EU-DE', { expectedPrice: START_PRICE })
  expect(moved.refusal).toEqual({ code: 'price_moved', facts: { newPrice: 102_000 } })
  expect(await world.balance(player)).toBe(cotton(400_000))
  const right = await buy(world, player, 'EU-DE', { expectedPrice: cotton(102_000) })
  expect(right.reply?.parcel.pricePaid).toBe(102_000)
})

test('in one batch a sale outdates the price that the next one expected', async ({ world }) => {
  const player = await world.player({ deposited: 500_000 })
  const expected = { expectedPrice: START_PRICE }
  const answers = await buyAll(world, [
    buyOf(player, 'EU-FR', expected),
    buyOf(player, 'EU-DE', expected),
    buyOf(player, 'EU-FR'),
  ])
  expect(answers.map((answer) => answer.refusal?.code ?? 'sold')).toEqual([
    'sold',
    'price_moved',
    'parcel_owned',
  ])
})

test('earned credit is spent first and burned, deposited credit goes to the pool (X-05)', async ({
  world,
}) => {
  const player = await world.player({ deposited: 60_000, earned: 70_000 })
  const before = await worldAccounts(world)
  await buy(world, player, 'SA-BR')
  expect(await world.credit(player)).toEqual({ deposited: cotton(30_000), earned: 0n })
  const after = await worldAccounts(world)
  expect({ burned: after.burned - before.burned, pool: after.pool - before.pool }).toEqual({
    burned: cotton(70_000),
    pool: cotton(30_000),
  })
})

test('a player who cannot pay is told the missing amount, and the price stays', async ({ world }) => {
  const player = await world.player({ deposited: 99_999 })
  expect((await buy(world, player, 'NA-US')).refusal).toEqual({
    code: 'not_enough_credit_for_parcel',
    facts: { required: '100,000', available: '99,999' },
  })
  expect(await continent(world, 'NA')).toMatchObject({ price: START_PRICE, owned: 0 })
})

test('a repeated key buys once and gets the stored response; with another body it is refused (X-08)', async ({
  world,
}) => {
  const player = await world.player({ deposited: 500_000 })
  const keyed = (parcelId: string) => ({
    key: keyFor('/api/parcels/purchase', 'one-country', { parcelId }),
  })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => buy(world, player, 'EU-FR', keyed('EU-FR'))),
  )
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(answers[0]!.reply?.parcel.pricePaid).toBe(100_000)
  expect(await world.balance(player)).toBe(cotton(400_000))
  expect((await buy(world, player, 'EU-DE', keyed('EU-DE'))).refusal?.code).toBe('key_reused')
})

test('unknown parcels and those that the operator excludes are not sold', async ({ world }) => {
  const player = await world.player({ deposited: 500_000 })
  await world.db.rows(
    sql({ name: 'test-exclude', text: `update continents set excluded = '{EU-VA,EU-FR}' where code = 'EU'` }),
  )
  for (const parcelId of ['EU-XX', 'EU-US', '__proto__', 'EU-VA']) {
    expect([parcelId, (await buy(world, player, parcelId)).refusal?.code]).toEqual([
      parcelId,
      'parcel_not_found',
    ])
  }
  expect(await world.balance(player)).toBe(cotton(500_000))
})

test('the same buys in any grouping give the same answers, prices and balances', async ({ world }) => {
  const land = [...landOf('SA').slice(0, 5), ...landOf('AN').slice(0, 4)]
  const step = fc.record({
    who: fc.nat(2),
    what: fc.nat(land.length),
    expects: fc.constantFrom(null, 0, 1, 2),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.integer({ min: 2, max: 6 }),
      async (steps, size) => {
        const play = async (group: number) => {
          await world.db.rows(sql({ name: 'test-clear-land', text: 'delete from land' }))
          await world.db.rows(
            sql({
              name: 'test-reset',
              text: 'update continents set price = start_price, owned = 0, version = 0',
            }),
          )
          const players = await Promise.all(
            [600_000, 205_000, 100_000].map((earned) => world.player({ earned, deposited: 1_000 })),
          )
          const said: unknown[] = []
          for (let from = 0; from < steps.length; from += group) {
            const buys = steps.slice(from, from + group).map(({ who, what, expects }) =>
              buyOf(players[who]!, land[what] ?? 'EU-XX', {
                expectedPrice: expects === null ? null : cotton(chain(START_PRICE, expects).next),
              }),
            )
            for (const { reply, refusal } of await buyAll(world, buys)) {
              const { parcel, ...rest } = reply ?? {}
              said.push(refusal ?? { ...rest, paid: parcel?.pricePaid })
            }
          }
          return {
            said,
            prices: await Promise.all(CONTINENTS.map((code) => continent(world, code))),
            credits: await Promise.all(players.map((player) => world.credit(player))),
          }
        }
        expect(await play(size)).toEqual(await play(1))
      },
    ),
    { numRuns: 15 },
  )
})

async function worldAccounts(world: TestWorld): Promise<{ burned: bigint; pool: bigint }> {
  const rows = await world.db.rows(
    sql({
      name: 'test-world-accounts',
      row: rowOf<{ account: string; total: bigint }>(),
      text: 'select account::text, sum(amount)::bigint as total from entries group by 1',
    }),
  )
  const of = (account: string) => rows.find((row) => row.account === account)?.total ?? 0n
  return { burned: of('burned'), pool: of('pool') }
}
