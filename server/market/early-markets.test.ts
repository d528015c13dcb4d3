import { expect } from 'vitest'
import type { ContinentCode } from '#game/continents.ts'
import { replyOf } from '#server/platform/answer.ts'
import { systemClock } from '#server/platform/clock.ts'
import { changeMarket } from '#server/signer/acts/change-market.ts'
import { runCommand } from '#server/ops/ops.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import { readFrame } from '#tests/support/read-frame.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { buy, codeOf, list } from '#tests/support/trade-land.ts'
import { openListingView } from './listing-view.ts'
import { createMarket } from './market-mode.ts'

/** Does what the signer does for an act of an operator. */
const change = ({ db }: TestWorld, what: 'open' | 'close', continent: ContinentCode): Promise<string> =>
  db.transaction((tx) => changeMarket(tx, { what, continent, now: systemClock.now() }))

/** Runs an operator's command and returns its output. */
async function ops(world: TestWorld, ...args: string[]): Promise<string[]> {
  const said: string[] = []
  await runCommand(args, { db: world.db, clock: systemClock, say: (line) => void said.push(line) })
  return said
}

test('an operator opens one continent early in every running api, and closes it again (A-22)', async ({
  world,
}) => {
  const [app, other] = [await serveApp(world), await serveApp(world)]
  const [seller, buyer] = [
    await world.player({ deposited: 500_000 }),
    await world.player({ deposited: 5_000 }),
  ]
  await world.buy(seller, 'EU-FR')
  await world.buy(seller, 'AF-EG')
  const [tokens, theirs] = [await logIn(app, seller), await logIn(other, buyer)]
  const list = async (parcelId: string) => {
    const body = { parcelId, price: 100, walletAddress: seller.wallet }
    return (await call(app, 'POST', '/api/marketplace/list', { token: tokens, body })).body as {
      success: boolean
      message: string
      listing: { id: string }
    }
  }
  const buyIt = async (listingId: string) => {
    const body = { listingId, walletAddress: buyer.wallet }
    return (await call(other, 'POST', '/api/marketplace/purchase', { token: theirs, body })).body as {
      success: boolean
      message: string
    }
  }
  expect(await list('EU-FR')).toMatchObject({ success: false, message: 'The marketplace is not open.' })
  await change(world, 'open', 'EU')
  const { listing } = await list('EU-FR')
  expect(await list('AF-EG')).toMatchObject({ success: false, message: 'The marketplace is not open.' })
  await change(world, 'close', 'EU')
  expect(await buyIt(listing.id)).toMatchObject({ success: false, message: 'The marketplace is not open.' })
  await change(world, 'open', 'EU')
  expect(await buyIt(listing.id)).toMatchObject({ success: true })
  await change(world, 'close', 'EU')
  await app.close()
  await other.close()
})

test('the view says which continents are open, and shows what can be bought there', async ({ world }) => {
  const view = await openListingView(world.db, createMarket('auto'))
  expect(view.listings().reply).toMatchObject({ open: false, openContinents: [] })
  await change(world, 'open', 'AF')
  await change(world, 'open', 'EU')
  expect(await view.refresh()).toEqual(['market'])
  expect(view.listings().reply).toMatchObject({ open: true, openContinents: ['EU', 'AF'] })
  expect(readFrame(view.frame())).toMatchObject({
    data: { open: true, openContinents: ['EU', 'AF'] },
  })
  expect(await view.refresh()).toEqual([])
  for (const code of ['AF', 'EU'] as const) await change(world, 'close', code)
})

test('MARKET_MODE overrides early markets', async ({ world }) => {
  await change(world, 'open', 'EU')
  expect([...(await createMarket('closed').openContinents(world.db))]).toEqual([])
  expect([...(await createMarket('open').openContinents(world.db))]).toHaveLength(7)
  expect([...(await createMarket('auto').openContinents(world.db))]).toEqual(['EU'])
  await change(world, 'close', 'EU')
})

test('the command says what is open, and refuses what makes no sense', async ({ world }) => {
  expect(await ops(world, 'market', 'status')).toContain('Opened early by an operator: none')
  await expect(ops(world, 'market', 'open', 'Europe', '--reason', 'a test')).rejects.toThrow(
    'one of NA, SA, EU',
  )
  await expect(ops(world, 'market', 'open', '--reason', 'a test')).rejects.toThrow('Name a continent')
  await expect(ops(world, 'market', 'sell', 'EU')).rejects.toThrow('not "sell"')
  await expect(change(world, 'close', 'EU')).rejects.toThrow('is not open early')
  expect(await change(world, 'open', 'EU')).toBe(
    'The market of Europe is open as long as MARKET_MODE is auto.',
  )
  await expect(change(world, 'open', 'EU')).rejects.toThrow('is already open early')
  expect(await ops(world, 'market', 'status')).toContain('Opened early by an operator: Europe')
  await change(world, 'close', 'EU')
})

test('while one continent is open, listings elsewhere are hidden and cannot be bought', async ({ world }) => {
  const market = createMarket('auto')
  const seller = await world.player({ deposited: 500_000 })
  const buyer = await world.player({ deposited: 5_000 })
  const offer = async (parcelId: string) => {
    await world.buy(seller, parcelId)
    return replyOf(await list(world, seller, parcelId, 100)).listing.id
  }
  const [europe, africa] = [await offer('EU-DE'), await offer('AF-DZ')]
  const view = await openListingView(world.db, market)
  const shown = () => view.listings().reply.listings.map(({ id }) => id)
  // While no continent is open, all listings are shown.
  expect(new Set(shown())).toEqual(new Set([europe, africa]))
  await change(world, 'open', 'AF')
  expect(await view.refresh()).toEqual(['market'])
  expect(shown()).toEqual([africa])
  expect(codeOf(await buy(world, buyer, europe, { market }))).toBe('market_closed')
  expect(codeOf(await buy(world, buyer, africa, { market }))).toBe('done')
  await change(world, 'close', 'AF')
  expect(await view.refresh()).toEqual(['market'])
  expect(shown()).toEqual([europe])
})
