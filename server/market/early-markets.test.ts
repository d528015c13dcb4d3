import { expect } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { runCommand } from '#server/ops/ops.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { openListingView } from './listing-view.ts'
import { createMarket } from './market-mode.ts'

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
  await ops(world, 'market', 'open', 'EU', '--by', 'zoe')
  const { listing } = await list('EU-FR')
  expect(await list('AF-EG')).toMatchObject({ success: false, message: 'The marketplace is not open.' })
  await ops(world, 'market', 'close', 'EU', '--by', 'zoe')
  expect(await buyIt(listing.id)).toMatchObject({ success: false, message: 'The marketplace is not open.' })
  await ops(world, 'market', 'open', 'EU', '--by', 'zoe')
  expect(await buyIt(listing.id)).toMatchObject({ success: true })
  await ops(world, 'market', 'close', 'EU', '--by', 'zoe')
  await app.close()
  await other.close()
})

test('the view says which continents are open, and shows what can be bought there', async ({ world }) => {
  const view = await openListingView(world.db, createMarket('auto'))
  expect(view.listings().reply).toMatchObject({ open: false, openContinents: [] })
  await ops(world, 'market', 'open', 'AF', '--by', 'zoe')
  await ops(world, 'market', 'open', 'EU', '--by', 'zoe')
  expect(await view.refresh()).toEqual(['market'])
  expect(view.listings().reply).toMatchObject({ open: true, openContinents: ['EU', 'AF'] })
  expect(JSON.parse(String(view.frame()).slice(String(view.frame()).indexOf('{')))).toMatchObject({
    data: { open: true, openContinents: ['EU', 'AF'] },
  })
  expect(await view.refresh()).toEqual([])
  for (const code of ['AF', 'EU']) await ops(world, 'market', 'close', code, '--by', 'zoe')
})

test('MARKET_MODE overrides early markets', async ({ world }) => {
  await ops(world, 'market', 'open', 'EU', '--by', 'zoe')
  expect([...(await createMarket('closed').openContinents(world.db))]).toEqual([])
  expect([...(await createMarket('open').openContinents(world.db))]).toHaveLength(7)
  expect([...(await createMarket('auto').openContinents(world.db))]).toEqual(['EU'])
  await ops(world, 'market', 'close', 'EU', '--by', 'zoe')
})

test('the command says what is open, refuses what makes no sense, and every change is in the log', async ({
  world,
}) => {
  expect(await ops(world, 'market', 'status')).toContain('Opened early by an operator: none')
  await expect(ops(world, 'market', 'open', 'Europe', '--by', 'zoe')).rejects.toThrow('one of NA, SA, EU')
  await expect(ops(world, 'market', 'open', '--by', 'zoe')).rejects.toThrow('Name a continent')
  await expect(ops(world, 'market', 'sell', 'EU', '--by', 'zoe')).rejects.toThrow('not "sell"')
  await expect(ops(world, 'market', 'close', 'EU', '--by', 'zoe')).rejects.toThrow('is not open early')
  expect(await ops(world, 'market', 'open', 'EU', '--by', 'zoe', '--reason', 'a test')).toEqual([
    'The market of Europe is open as long as MARKET_MODE is auto.',
  ])
  await expect(ops(world, 'market', 'open', 'EU', '--by', 'zoe')).rejects.toThrow('is already open early')
  expect(await ops(world, 'market', 'status')).toContain('Opened early by an operator: Europe')
  expect((await ops(world, 'log')).join('\n')).toMatch(/zoe: market open EU — a test/)
  await ops(world, 'market', 'close', 'EU', '--by', 'zoe')
})
