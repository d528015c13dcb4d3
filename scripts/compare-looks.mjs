// Takes a picture of every scene of tests/looks and compares it with the committed one.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { NOW, startFrozenGames } from '../tests/looks/frozen-game.ts'
import { CHANGES, SCENES } from '../tests/looks/scenes.ts'
import { assertNode } from './assert-node.mjs'
import { buildWeb } from './build-web.mjs'
import { findChromium } from './find-chromium.mjs'

assertNode()
const root = resolve(import.meta.dirname, '..')
const committed = join(root, 'tests', 'looks', 'pictures')
const actual = join(root, '.build', 'looks')

const HEIGHTS = { 1440: 900, 1024: 768, 768: 1_024, 390: 844 }
const ZONES = { 12: 'UTC', 19: 'Asia/Bangkok', 22: 'Australia/Brisbane' }

// Both pictures are made smaller by this before they are compared, so that what the format and the smoothing of edges do
// to single pixels evens out. A spot differs when a channel of it is this far off (of 255), and a picture when more than
// so many spots do: a line of small text in another colour is some dozens.
const SMALLER = 4
const CHANNEL = 12
const SPOTS = 12

/** A scene that takes longer than this will never stand. */
const SCENE_TIMEOUT_MS = 90_000

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const update = flags.includes('--update')
const wanted = (scene) => names.length === 0 || names.some((name) => scene.name.startsWith(name))
const unknown = flags.filter((flag) => flag !== '--update')
if (unknown.length > 0 || ![...SCENES, ...CHANGES].some(wanted)) {
  process.stderr.write('npm run looks -- [--update] [scene …]: a scene is named by the start of its name.\n')
  process.exit(1)
}

if (!buildWeb(say)) process.exit(1)
rmSync(actual, { recursive: true, force: true })
for (const folder of [actual, committed]) mkdirSync(folder, { recursive: true })

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
const outcomes = []
let canvas
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    void Promise.allSettled([browser.close(), stop()]).then(() => process.exit(130))
  })
}
try {
  const shots = SCENES.filter(wanted).flatMap(shotsOf)
  await Promise.all([work(shots), work(shots)])
  for (const shot of CHANGES.filter(wanted).flatMap(shotsOf)) outcomes.push(await compareShot(shot))
} finally {
  await browser.close()
  await stop()
}
if (names.length === 0) outcomes.push(...findOrphans())
report()

/** Several go through one list, each taking the next. */
async function work(shots) {
  for (let shot = shots.shift(); shot; shot = shots.shift()) outcomes.push(await compareShot(shot))
}

function shotsOf(scene) {
  return (scene.widths ?? [1440, 390]).map((width) => ({ scene, width, name: `${scene.name}-${width}.webp` }))
}

/** Takes the picture until it is the committed one, or for as long as a page may need to settle. */
async function compareShot(shot) {
  const { scene, width } = shot
  const context = await browser.newContext({
    baseURL: games[scene.game].url,
    viewport: { width, height: scene.height ?? HEIGHTS[width] },
    isMobile: width < 769,
    hasTouch: width < 769,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: ZONES[scene.hour ?? 12],
  })
  // A page that never answers ends with its context.
  const tooLate = setTimeout(() => void context.close(), SCENE_TIMEOUT_MS)
  try {
    const outcome = await captureAndCompare(context, shot)
    if (outcome.updated) say(shot.name)
    return outcome
  } catch (error) {
    return { name: shot.name, problem: String(error.message).split('\n')[0] }
  } finally {
    clearTimeout(tooLate)
    await context.close()
  }
}

async function captureAndCompare(context, { scene, name }) {
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  await enter(context, page, scene)
  await page.goto(scene.path)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await settle(page)
  await scene.act?.(page)
  const before = existsSync(join(committed, name)) ? readFileSync(join(committed, name)) : null
  let result
  for (let tries = 0; tries < 5; tries++) {
    await settle(page)
    const png = await page.screenshot({
      animations: 'disabled',
      caret: 'hide',
    })
    result = await compare(png, before)
    if (result.spots !== null && result.spots <= SPOTS) return { name, same: true }
    await page.waitForTimeout(250)
  }
  return saveResult(name, result)
}

async function enter(context, page, { game, as, calls }) {
  await page.clock.setFixedTime(new Date(NOW))
  if (as) {
    const { token, address } = games[game].players[as]
    await context.addInitScript(
      ([storedToken, walletAddress]) => {
        localStorage.setItem('token', storedToken)
        localStorage.setItem('walletAddress', walletAddress)
      },
      [token, address],
    )
  }
  if (calls) {
    await page.route(calls.to, (route) => {
      // A call that is never answered is let go of when the context closes.
      if (!new URL(route.request().url()).pathname.startsWith('/api/')) return route.continue()
      return calls.end === 'fail'
        ? route.fulfill({ status: 500, json: { success: false, code: 'unexpected', message: '' } })
        : undefined
    })
  }
}

/** Fonts and the pictures in sight are there, and nothing has changed for two frames. */
async function settle(page) {
  await page.evaluate(async () => {
    await document.fonts.ready
    const arriving = (image) => image.loading !== 'lazy' && !image.complete
    for (let tries = 0; tries < 20 && [...document.images].some(arriving); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await new Promise((resolve) => setTimeout(resolve, 350))
  })
}

/** The new picture as it would be committed, and how many spots of it differ; null where there is none yet. */
async function compare(png, before) {
  canvas ??= browser.newContext().then((context) => context.newPage())
  const page = await canvas
  return page.evaluate(compareInPage, {
    png: png.toString('base64'),
    before: before?.toString('base64') ?? null,
    smaller: SMALLER,
    channel: CHANNEL,
  })
}

/** Runs in a browser, which reads and writes WebP by itself. Both pictures have been through the same compression. */
async function compareInPage({ png, before, smaller, channel }) {
  const read = async (base64, type) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    return createImageBitmap(new Blob([bytes], { type }))
  }
  const write = async (area) => {
    const blob = await area.convertToBlob({ type: 'image/webp', quality: 0.6 })
    const bytes = new Uint8Array(await blob.arrayBuffer())
    let text = ''
    for (const byte of bytes) text += String.fromCharCode(byte)
    return btoa(text)
  }
  const draw = (bitmap, by = 1) => {
    const area = new OffscreenCanvas(Math.ceil(bitmap.width / by), Math.ceil(bitmap.height / by))
    const pen = area.getContext('2d', { willReadFrequently: true })
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(bitmap, 0, 0, area.width, area.height)
    return { area, pen }
  }
  const pixels = ({ area, pen }) => pen.getImageData(0, 0, area.width, area.height).data

  const webp = await write(draw(await read(png, 'image/png')).area)
  if (before === null) return { webp, spots: null, marked: null }
  const now = await read(webp, 'image/webp')
  const then = await read(before, 'image/webp')
  if (now.width !== then.width || now.height !== then.height)
    return { webp, spots: Number.POSITIVE_INFINITY, marked: null }
  const marked = draw(now)
  marked.pen.strokeStyle = '#ff0050'
  const [small, smallThen] = [draw(now, smaller), draw(then, smaller)]
  const [a, b] = [pixels(small), pixels(smallThen)]
  let spots = 0
  for (let at = 0; at < a.length; at += 4) {
    const off = Math.max(...[0, 1, 2].map((part) => Math.abs(a[at + part] - b[at + part])))
    if (off <= channel) continue
    spots++
    const spot = at / 4
    const x = (spot % small.area.width) * smaller
    const y = Math.floor(spot / small.area.width) * smaller
    marked.pen.strokeRect(x - 1, y - 1, smaller + 2, smaller + 2)
  }
  return { webp, spots, marked: await write(marked.area) }
}

function saveResult(name, { webp, spots, marked }) {
  const bytes = Buffer.from(webp, 'base64')
  writeFileSync(join(update ? committed : actual, name), bytes)
  if (update) return { name, updated: true }
  if (marked)
    writeFileSync(join(actual, name.replace('.webp', '.differs.webp')), Buffer.from(marked, 'base64'))
  return { name, problem: spots === null ? 'has no committed picture' : `differs in ${spots} spots` }
}

/** Pictures of scenes that are gone. */
function findOrphans() {
  const known = new Set([...SCENES, ...CHANGES].flatMap(shotsOf).map((shot) => shot.name))
  const gone = readdirSync(committed).filter((file) => !known.has(file))
  if (!update) return gone.map((name) => ({ name, problem: 'belongs to no scene' }))
  for (const name of gone) rmSync(join(committed, name))
  return []
}

function report() {
  const problems = outcomes.filter((outcome) => outcome.problem)
  for (const { name, problem } of problems) say(`${name}: ${problem}`)
  const updated = outcomes.filter((outcome) => outcome.updated).length
  const same = outcomes.filter((outcome) => outcome.same).length
  const seconds = Math.round((performance.now() - from) / 1_000)
  say(
    `${same} pictures are as committed, ${updated} were written, ${problems.length} are not as they should be (${seconds} s).`,
  )
  if (problems.length === 0) return
  say(`Look at ${actual}: each picture as it is now, and beside it where it differs.`)
  process.exitCode = 1
}

function say(sentence) {
  process.stdout.write(`${sentence}\n`)
}
