import { execFileSync } from 'node:child_process'
import type { Browser, Locator, Page } from '@playwright/test'
import { makeOperators, type TestOperators } from '#tests/support/operators.ts'
import { makeDataDir, runServer } from '#tests/support/run-server.ts'
import { createFundedPlayer, playAs, type Player } from './funded-player.ts'
import { expect, isPhone, test as browserTest } from './browser-test.ts'

let address = ''
let folder = ''
let operators: TestOperators

/** Tests in a game with an open market. The shared game opens its market only when all land is sold. */
export const test = browserTest.extend({ baseURL: async ({}, use) => use(address) })

/** Starts that game for a file whose tests run serially, and audits its ledger at the end. */
export function openMarket(mode: 'open' | 'auto' = 'open'): void {
  test.describe.configure({ mode: 'default' })
  let stop: () => Promise<void>
  test.beforeAll(async () => {
    test.setTimeout(120_000)
    const { dataDir, remove } = makeDataDir()
    folder = dataDir
    operators = makeOperators(['zoe'], dataDir)
    const server = runServer({ dataDir, env: { MARKET_MODE: mode } })
    stop = async () => {
      server.pressCtrlC()
      await server.ended
      execFileSync('npm', ['run', '--silent', 'audit'], { env: { ...process.env, DATA_DIR: dataDir } })
      remove()
    }
    address = await server.ready
  })
  test.afterAll(async () => {
    test.setTimeout(120_000)
    await stop()
  })
}

/** Runs an operator command in that game and returns what it prints. */
export const runOps = (...args: string[]): string => runCommand([...args, '--by', 'zoe'])

/** Runs a command that an operator signs, in that game. */
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
