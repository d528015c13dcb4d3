import { execFileSync } from 'node:child_process'
import type { Browser, Locator, Page } from '@playwright/test'
import { makeOperators, type TestOperators } from '#tests/support/operators.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { createFundedPlayer, playAs, type Player } from './funded-player.ts'
import { expect, isPhone, test as browserTest } from './browser-test.ts'
import { type MarketGame, type MarketMode, runMarketGame } from './market-game.ts'
import { askForGame } from './serve-game.ts'

let address = ''
let folder = ''
let operators: TestOperators

/** Tests in a game with an open market. The game of the other tests opens its market only when all land is sold. */
export const test = browserTest.extend({ baseURL: async ({}, use) => use(address) })

const START_MS = 120_000

/** Starts that game for a file whose tests run serially, and audits its ledger at the end. */
export function openMarket(mode: MarketMode = 'open'): void {
  test.describe.configure({ mode: 'default' })
  let stop: () => Promise<void>
  test.beforeAll(async () => {
    test.setTimeout(START_MS)
    const own = makeDataDir()
    folder = own.dataDir
    operators = makeOperators(['zoe'], folder)
    const game = runMarketGame(own, mode)
    stop = game.stop
    address = await game.ready
  })
  test.afterAll(async () => {
    test.setTimeout(START_MS)
    await stop()
  })
}

/**
 * Lets a file use the game with an open market that several files share, because each start takes seconds. Its tests run at
 * once, so each needs land of its own. A retry needs other land, because the first attempt may have bought it.
 */
export function shareMarket(): void {
  test.beforeAll(async () => {
    test.setTimeout(START_MS)
    const game = await askForGame<MarketGame>(process.env.MARKET_GAME!)
    ;[address, folder] = [game.url, game.dataDir]
  })
}

/** Runs an operator command in the game and returns what it prints. */
export const runOps = (...args: string[]): string => runCommand([...args, '--by', 'zoe'])

/** Runs a command that an operator signs, in a game that `openMarket` started. */
export const signOps = (...args: string[]): string =>
  runCommand([...args, '--reason', 'a test', ...operators.key('zoe')])

function runCommand(args: readonly string[]): string {
  const env = { ...process.env, DATA_DIR: folder }
  return execFileSync('npm', ['run', '--silent', 'ops', '--', ...args], { env, encoding: 'utf8' })
}

export const createPlayer = (deposit: number): Promise<Player> => createFundedPlayer(deposit, address)

export async function listParcel(seller: Player, parcelId: string, price: number): Promise<void> {
  const { address: walletAddress } = seller
  const { status } = await seller.call('POST', '/api/marketplace/list', { parcelId, price, walletAddress })
  expect(status).toBe(200)
}

/** A player who has bought and listed this land. */
export async function createSeller(parcelId: string, price: number): Promise<Player> {
  const seller = await createPlayer(150_000)
  await seller.buy(parcelId)
  await listParcel(seller, parcelId, price)
  return seller
}

/** The only listing of a seller. */
export async function readListingId(seller: Player): Promise<string> {
  const { body } = await seller.call('GET', `/api/marketplace/listings/user/${seller.address}`)
  const [listing] = (body as { listings: { id: string }[] }).listings
  return listing!.id
}

/** A second page with another player. */
export async function openPage(browser: Browser, who: Player): Promise<Page> {
  const { viewport, isMobile, hasTouch, locale } = test.info().project.use
  const context = await browser.newContext({
    baseURL: address,
    viewport,
    isMobile,
    hasTouch,
    locale,
    reducedMotion: 'reduce',
  })
  await playAs(context, who)
  return context.newPage()
}

export const cardOf = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true })
export const namesOn = (page: Page): Locator => page.getByRole('article').getByRole('heading')

/** The balance in the menu, or on a phone above the page. */
export const balanceOn = (page: Page): Locator =>
  isPhone(page)
    ? page.getByRole('link', { name: /\$COTTON, open profile/ })
    : page
        .getByText(/^Balance/)
        .first()
        .locator('..')
