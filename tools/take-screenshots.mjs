// Plays a new game and takes the screenshots in docs/screens.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { makeDataDir, runServer } from '../tests/support/run-server.ts'
import { assertNode } from '../scripts/assert-node.mjs'
import { findChromium } from '../scripts/find-chromium.mjs'
import { operatorNamed, startConsoleGame } from '../tests/e2e/console-game.ts'
import { installPhantom } from '../tests/e2e/fake-phantom.ts'
import { settle, trackRequests } from '../tests/e2e/settle.ts'

/** @import { Browser, Page } from '@playwright/test' */

assertNode()
const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'docs', 'screens')
const hired = ['BigMan', 'Grandad', 'Grandma', 'Kid', 'Kid']
const bought = ['France', 'Norway', 'Iceland', 'Italy']
mkdirSync(folder, { recursive: true })

const { dataDir, remove } = makeDataDir()
const game = runServer({ dataDir, command: ['npm', 'start'], env: { MARKET_MODE: 'open' } })
try {
  const url = await game.ready
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
  try {
    await takePages(browser, url)
    await takeConsole(browser)
  } finally {
    await browser.close()
  }
} finally {
  game.pressCtrlC()
  await game.ended
  remove()
}

/**
 * The console of a game with withdrawals in review and a past of 30 days.
 * @param {Browser} browser
 */
async function takeConsole(browser) {
  const game = await startConsoleGame()
  try {
    const page = await browser.newPage({
      baseURL: game.consoleUrl,
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
      colorScheme: 'light',
      reducedMotion: 'reduce',
    })
    await installPhantom(page, { accounts: [operatorNamed('Ana')] })
    await page.goto('/')
    await page.getByRole('button', { name: 'Phantom' }).click()
    await page.getByRole('figure', { name: /^Withdrawn/ }).waitFor()
    await page.screenshot({ path: join(folder, 'console.png') })
    await page.close()
  } finally {
    await game.stop()
  }
}

/**
 * @param {Browser} browser
 * @param {string} url
 */
async function takePages(browser, url) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: noonTimeZone(new Date()),
  })
  // Hides the onboarding card.
  await context.addInitScript(() => localStorage.setItem('firstSteps', 'done'))
  const page = await context.newPage()
  trackRequests(page)
  page.setDefaultTimeout(30_000)
  await page.goto('/')
  await page.getByRole('button', { name: 'Play with a test wallet' }).click()
  await page.getByText('Logged in', { exact: true }).waitFor()
  await deposit(page)
  for (const name of hired) await hire(page, name)
  for (const name of bought) await buyLand(page, name)
  await take(page, '/buy-pickers', 'buy-pickers')
  await take(page, '/parcels', 'world')
  await take(page, '/parcels/EU', 'europe')
  await page.goto('/myfarm')
  await page.getByRole('article', { name: 'BigMan' }).waitFor()
  // Long enough for every field to show a harvest.
  await page.waitForTimeout(20_000)
  await take(page, '/myfarm', 'my-farm')
  await sellLand(page)
  await take(page, '/marketplace', 'market')
  await take(page, '/profile', 'profile')
  await page.setViewportSize({ width: 390, height: 844 })
  await take(page, '/myfarm', 'my-farm-phone')
}

/**
 * A time zone where it is about noon, so that the pages are drawn by day at any hour. Their signs are those of POSIX:
 * `Etc/GMT-3` is three hours ahead.
 * @param {Date} now
 */
function noonTimeZone(now) {
  const ahead = 12 - now.getUTCHours()
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** @param {Page} page */
async function deposit(page) {
  await page.goto('/profile')
  for (let each = 0; each < 2; each++) {
    await page.getByRole('button', { name: /^Get (more )?test tokens$/ }).click()
    await page
      .getByText(`In your wallet${each + 1},000,000 $COTTON`)
      .first()
      .waitFor()
  }
  await page.getByRole('button', { name: 'Get Deposit Address' }).click()
  await page.getByLabel('Amount to deposit').fill('2000000')
  await page.getByRole('button', { name: /^Deposit 2,000,000/ }).click()
  await page
    .getByText(/2,000,000 .COTTON arrived/)
    .first()
    .waitFor()
}

/**
 * @param {Page} page
 * @param {string} name
 */
async function hire(page, name) {
  await page.goto('/buy-pickers')
  await page.getByRole('region', { name }).getByRole('button', { name: 'BUY' }).click()
  await page.getByText('Successfully purchased').waitFor()
}

/**
 * @param {Page} page
 * @param {string} name
 */
async function buyLand(page, name) {
  await page.goto('/parcels/EU?regionName=Europe')
  await page.getByLabel('Find a country').fill(name)
  await page
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .last()
    .click()
  await page.getByRole('button', { name: 'Buy This Parcel' }).click()
  await page.getByText('Purchase Complete').waitFor()
}

/**
 * Lists two parcels through the API; browser tests cover the dialog.
 * @param {Page} page
 */
async function sellLand(page) {
  await page.evaluate(async () => {
    const walletAddress = localStorage.getItem('walletAddress')
    const headers = {
      'content-type': 'application/json',
      'x-auth-token': localStorage.getItem('token') ?? '',
    }
    for (const [parcelId, price] of [
      ['EU-IT', 180_000],
      ['EU-IS', 140_000],
    ]) {
      const body = JSON.stringify({ parcelId, price, walletAddress })
      await fetch('/api/marketplace/list', { method: 'POST', headers, body })
    }
  })
}

/**
 * Takes a page when everything is loaded and no toast is open.
 * @param {Page} page
 * @param {string} path
 * @param {string} name
 */
async function take(page, path, name) {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => !document.querySelector('#root .for-visitor, #root .for-player'))
  await settle(page)
  await page.evaluate(() => document.fonts.ready)
  // Pictures that are loaded when they come into view.
  await page.waitForTimeout(1_500)
  await settle(page)
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 85 })
  process.stdout.write(`docs/screens/${name}.jpg\n`)
}
