// Takes a screenshot of every scene in tests/visual and compares it with its baseline.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium, expect as playwrightExpect } from '@playwright/test'
import { assertNode } from '../scripts/assert-node.mjs'
import { buildWeb } from '../scripts/build-web.mjs'
import { findChromium } from '../scripts/find-chromium.mjs'
import { settle as settleRequests, trackRequests, waitForRender } from '../tests/e2e/settle.ts'
import { NOW, startFrozenGames } from '../tests/visual/frozen-game.ts'
import { CHANGING_SCENES, SCENES } from '../tests/visual/scenes.ts'
import { comparePictures } from './compare-pictures.mjs'

/** @import { BrowserContext, Page } from '@playwright/test' */
/** @import { Scene, Width } from '../tests/visual/scenes.ts' */
/** @typedef {{ scene: Scene, width: Width, name: string }} Shot */
/** @typedef {{ name: string, status: 'same' | 'updated' } | { name: string, status: 'problem', problem: string }} Outcome */

assertNode()
const root = resolve(import.meta.dirname, '..')
const baselines = join(root, 'tests', 'visual', 'baselines')
const taken = join(root, '.build', 'visual')

const HEIGHTS = { 1440: 900, 390: 844 }
const TIME_ZONES = { 12: 'UTC', 22: 'Australia/Brisbane' }

/**
 * A screenshot differs when more blocks than this do. The browser draws an edge between two pixels in one of two ways,
 * which is up to 31 blocks of a scene. A line of small text in another colour is more.
 */
const MAX_BLOCKS = 40

const SCENE_TIMEOUT_MS = 90_000

const expect = playwrightExpect.configure({ timeout: 30_000 })

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const update = flags.includes('--update')
/** @param {Scene} scene */
const wanted = (scene) => names.length === 0 || names.some((name) => scene.name.startsWith(name))
const all = [...SCENES, ...CHANGING_SCENES]
if (flags.some((flag) => flag !== '--update') || !all.some(wanted)) {
  process.stderr.write('npm run test:visual -- [--update] [scene …]: names may be prefixes of scene names.\n')
  process.exit(1)
}

if (!buildWeb(say)) process.exit(1)
rmSync(taken, { recursive: true, force: true })
for (const folder of [taken, baselines]) mkdirSync(folder, { recursive: true })

const from = performance.now()
const { games, stop } = await startFrozenGames()
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--force-color-profile=srgb',
    '--font-render-hinting=none',
    '--disable-lcd-text',
  ],
})
/** @type {Outcome[]} */
const outcomes = []
/** @type {Promise<Page> | undefined} */
let canvas
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    void Promise.allSettled([browser.close(), stop()]).then(() => process.exit(130))
  })
}
try {
  const shots = SCENES.filter(wanted).flatMap(shotsOf)
  await Promise.all([work(shots), work(shots)])
  for (const shot of CHANGING_SCENES.filter(wanted).flatMap(shotsOf)) outcomes.push(await capture(shot))
} finally {
  await browser.close()
  await stop()
}
if (names.length === 0) outcomes.push(...removeLeftovers())
report()

/**
 * Several workers share one list; each takes the next shot.
 * @param {Shot[]} shots
 */
async function work(shots) {
  for (let shot = shots.shift(); shot; shot = shots.shift()) outcomes.push(await capture(shot))
}

/**
 * @param {Scene} scene
 * @returns {Shot[]}
 */
function shotsOf(scene) {
  return scene.widths.map((width) => ({ scene, width, name: `${scene.name}-${width}.webp` }))
}

/**
 * @param {Shot} shot
 * @returns {Promise<Outcome>}
 */
async function capture(shot) {
  const { scene, width } = shot
  const context = await browser.newContext({
    baseURL: games[scene.game].url,
    viewport: { width, height: scene.height ?? HEIGHTS[width] },
    isMobile: width < 769,
    hasTouch: width < 769,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: TIME_ZONES[scene.hour ?? 12],
  })
  // A page that never responds ends with its context.
  const timeout = setTimeout(() => void context.close(), SCENE_TIMEOUT_MS)
  try {
    const outcome = await captureIn(context, shot)
    if (outcome.status === 'updated') say(shot.name)
    return outcome
  } catch (error) {
    return { name: shot.name, status: 'problem', problem: String(error).split('\n', 1).join('') }
  } finally {
    clearTimeout(timeout)
    await context.close()
  }
}

/**
 * Takes the screenshot until it equals the baseline, for as long as a page may need to settle.
 * @param {BrowserContext} context
 * @param {Shot} shot
 * @returns {Promise<Outcome>}
 */
async function captureIn(context, { scene, name }) {
  const page = await context.newPage()
  trackRequests(page)
  page.setDefaultTimeout(45_000)
  await prepare(context, page, scene)
  await page.goto(scene.path)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await settle(page, scene)
  await scene.act?.(page)
  const file = join(baselines, name)
  const baseline = existsSync(file) ? readFileSync(file) : null
  for (let tries = 1; ; tries++) {
    await settle(page, scene)
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    canvas ??= browser.newContext().then((blank) => blank.newPage())
    const compared = await comparePictures(await canvas, { png, baseline })
    if (compared.blocks !== null && compared.blocks <= MAX_BLOCKS) return { name, status: 'same' }
    if (tries === 5) return store(name, compared)
    await page.waitForTimeout(250)
  }
}

/**
 * @param {BrowserContext} context
 * @param {Page} page
 * @param {Scene} scene
 */
async function prepare(context, page, { game, as, calls }) {
  await page.clock.setFixedTime(new Date(NOW))
  if (as) {
    await context.addInitScript(({ token, address }) => {
      localStorage.setItem('token', token)
      localStorage.setItem('walletAddress', address)
    }, games[game].players[as])
  }
  if (!calls) return
  await page.route(calls.to, (route) => {
    if (!new URL(route.request().url()).pathname.startsWith('/api/')) return route.continue()
    // A call that is never answered ends when the context closes.
    if (calls.end === 'never') return undefined
    return route.fulfill({ status: 500, json: { success: false, code: 'unexpected', message: '' } })
  })
}

/**
 * Waits until nothing on the page changes any more: data and code have arrived, toasts are gone, fonts and visible
 * pictures are decoded, and transitions have ended.
 * @param {Page} page
 * @param {Scene} scene
 */
async function settle(page, { calls }) {
  await settleRequests(page, (url) => calls?.end === 'never' && calls.to.test(url))
  await expect(page.getByRole('region', { name: 'Notifications' }).getByRole('status')).toHaveCount(0)
  await page.evaluate(async () => {
    await document.fonts.ready
    const isInView = (/** @type {HTMLImageElement} */ image) => {
      const { top, bottom } = image.getBoundingClientRect()
      return image.checkVisibility() && bottom > 0 && top < innerHeight
    }
    const pictures = [...document.images].filter(isInView)
    await Promise.all(pictures.map((image) => image.decode().catch(() => undefined)))
    const endless = (/** @type {Animation} */ { effect }) => effect?.getComputedTiming().endTime === Infinity
    const animations = document.getAnimations().filter((animation) => !endless(animation))
    await Promise.all(animations.map(({ finished }) => finished.catch(() => undefined)))
  })
  await waitForRender(page)
}

/**
 * @param {string} name
 * @param {{ webp: Buffer, blocks: number | null, marked: Buffer | null }} compared
 * @returns {Outcome}
 */
function store(name, { webp, blocks, marked }) {
  writeFileSync(join(update ? baselines : taken, name), webp)
  if (update) return { name, status: 'updated' }
  if (marked) writeFileSync(join(taken, name.replace('.webp', '.differs.webp')), marked)
  return {
    name,
    status: 'problem',
    problem: blocks === null ? 'has no baseline' : `differs in ${blocks} blocks`,
  }
}

/**
 * Baselines of scenes that no longer exist.
 * @returns {Outcome[]}
 */
function removeLeftovers() {
  const known = new Set(all.flatMap(shotsOf).map((shot) => shot.name))
  const leftovers = readdirSync(baselines).filter((file) => !known.has(file))
  if (!update) return leftovers.map((name) => ({ name, status: 'problem', problem: 'belongs to no scene' }))
  for (const name of leftovers) rmSync(join(baselines, name))
  return []
}

function report() {
  const problems = outcomes.filter((outcome) => outcome.status === 'problem')
  for (const { name, problem } of problems) say(`${name}: ${problem}`)
  const updated = outcomes.filter((outcome) => outcome.status === 'updated').length
  const same = outcomes.filter((outcome) => outcome.status === 'same').length
  const seconds = Math.round((performance.now() - from) / 1_000)
  say(
    `${same} screenshots match their baselines, ${updated} were updated, ${problems.length} failed (${seconds} s).`,
  )
  if (problems.length === 0) return
  say(`See ${taken}: the new screenshots, and copies with the differences marked.`)
  process.exitCode = 1
}

/** @param {string} sentence */
function say(sentence) {
  process.stdout.write(`${sentence}\n`)
}
