import type { Page } from '@playwright/test'
import { createFundedPlayer, playAs } from './funded-player.ts'
import {
  closeGreeting,
  expect,
  expectHydrated,
  goTo,
  isPhone,
  logIn,
  DESKTOP_ONLY,
  test,
  expectBothLayouts,
  VARIANT,
  PHONE_FIRST,
} from './browser-test.ts'

/** Records the page's audio contexts, and the sounds that it started, by their length in seconds. */
type AudioLog = { contexts: AudioContext[]; begun: { seconds: number; loop: boolean }[] }
type Listened = { audioLog: AudioLog }

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    const audioLog: AudioLog = { contexts: [], begun: [] }
    Object.assign(window, { audioLog })
    window.AudioContext = class extends AudioContext {
      constructor(options?: AudioContextOptions) {
        super(options)
        audioLog.contexts.push(this)
      }
    }
    const start = AudioBufferSourceNode.prototype.start
    AudioBufferSourceNode.prototype.start = function (this: AudioBufferSourceNode, ...when) {
      audioLog.begun.push({ seconds: this.buffer?.duration ?? 0, loop: this.loop })
      start.apply(this, when)
    }
  })
})

const contexts = (page: Page) =>
  page.evaluate(() => (window as unknown as Listened).audioLog.contexts.map(({ state }) => state))
const begun = (page: Page) => page.evaluate(() => (window as unknown as Listened).audioLog.begun)
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)

/** The number of times that an effect of this length was played. */
const effects = async (page: Page, length: number) =>
  (await begun(page)).filter(({ seconds, loop }) => !loop && Math.abs(seconds - length) < 0.02).length

const soundButton = (page: Page) => page.getByRole('button', { name: 'Music and sounds' })

async function expectMusic(page: Page): Promise<void> {
  await expect.poll(() => contexts(page)).toEqual(['running'])
  await expect.poll(async () => (await begun(page)).filter(({ loop }) => loop).length).toBe(1)
  const [music] = (await begun(page)).filter(({ loop }) => loop)
  expect(music!.seconds).toBeCloseTo(90, 1)
}

/** Stores the choice as at an earlier visit. The file has the origin of the game and no scripts. */
async function storeMusic(page: Page, on: boolean): Promise<void> {
  await page.goto('/robots.txt')
  await page.evaluate((value) => localStorage.setItem('musicStarted', value), String(on))
}

/** Opens the pickers with the music already on. The page waits for a gesture. */
async function comeBack(page: Page): Promise<void> {
  await storeMusic(page, true)
  await page.goto('/buy-pickers')
  await expect(page.getByRole('heading', { level: 1, name: 'Buy Pickers' })).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'You need to be logged in' })).toBeVisible()
  expect(await contexts(page)).toEqual([])
}

test(
  'the big button starts the looping music and opens the pickers; nothing plays or loads before (S-18)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const requestedUrls: string[] = []
    page.on('request', (request) => requestedUrls.push(request.url()))
    await page.goto('/')
    await closeGreeting(page)
    await expect(soundButton(page)).toHaveAttribute('aria-pressed', 'false')
    expect(await contexts(page)).toEqual([])
    const musicFiles = () => requestedUrls.filter((url) => /\.(opus|m4a)$|\/player-[^/]*$/.test(url))
    expect(musicFiles()).toEqual([])
    expect(await stored(page, 'musicStarted')).toBeNull()

    await page.getByRole('link', { name: 'Start picking' }).click()
    await expect(page).toHaveURL(/\/buy-pickers$/)
    await expectMusic(page)
    expect(musicFiles().length).toBeGreaterThan(1)
    expect(await stored(page, 'musicStarted')).toBe('true')
    await expect(soundButton(page)).toHaveAttribute('aria-pressed', 'true')
  },
)

test(
  'the button pauses and resumes the music, and the choice is stored (S-51, S-70, X-17)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await page.goto('/')
    await closeGreeting(page)
    await soundButton(page).click()
    await expect(soundButton(page)).toHaveAttribute('aria-pressed', 'true')
    await expectMusic(page)
    await soundButton(page).click()
    await expect(soundButton(page)).toHaveAttribute('aria-pressed', 'false')
    await expect.poll(() => contexts(page)).toEqual(['suspended'])
    expect(await stored(page, 'musicStarted')).toBe('false')
    await soundButton(page).click()
    await expectMusic(page)
    expect(await stored(page, 'musicStarted')).toBe('true')
  },
)

test('the music pauses while the page is hidden', VARIANT, async ({ page }) => {
  const become = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await page.goto('/')
  await closeGreeting(page)
  await soundButton(page).click()
  await expectMusic(page)
  await become(true)
  await expect.poll(() => contexts(page)).toEqual(['suspended'])
  await become(false)
  await expectMusic(page)
})

const gestures = {
  click: (page: Page) => page.mouse.click(5, 400),
  'key press': (page: Page) => page.keyboard.press('Tab'),
  touch: (page: Page) => page.touchscreen.tap(5, 400),
}

for (const [name, make] of Object.entries(gestures)) {
  const where = name === 'touch' ? PHONE_FIRST : VARIANT
  test(`after a reload the music resumes at the first ${name} (S-70)`, where, async ({ page }) => {
    test.skip(name === 'touch' && !isPhone(page), 'a desktop has no touch screen')
    await comeBack(page)
    await make(page)
    await expectMusic(page)
  })
}

test('paused music stays paused after a reload (X-17)', VARIANT, async ({ page }) => {
  await storeMusic(page, false)
  await page.goto('/')
  await closeGreeting(page)
  await page.mouse.click(5, 400)
  await page.keyboard.press('Tab')
  await expect(soundButton(page)).toHaveAttribute('aria-pressed', 'false')
  expect(await contexts(page)).toEqual([])
})

test('the music button itself starts the music after a reload', VARIANT, async ({ page }) => {
  // The clock is stopped, so that the login popup does not open and cover the button.
  await page.clock.install({ time: new Date('2026-01-05T12:00:00Z') })
  await page.clock.pauseAt(new Date('2026-01-05T12:00:01Z'))
  await storeMusic(page, true)
  await page.goto('/')
  await soundButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(soundButton(page)).toHaveAttribute('aria-pressed', 'true')
  await expectMusic(page)
})

test(
  'music and effects have a volume each, set with the keyboard and stored (X-17)',
  VARIANT,
  async ({ page }) => {
    await page.goto('/buy-pickers')
    await closeGreeting(page)
    await page.getByRole('button', { name: 'Settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.getByRole('button', { name: 'Music and sounds' }).click()
    await expectMusic(page)
    const music = settings.getByRole('slider', { name: 'Music' })
    await expect(music).toHaveValue('80')
    await music.press('ArrowLeft')
    await music.press('ArrowLeft')
    await expect(music).toHaveAttribute('aria-valuetext', '70%')
    await settings.getByRole('slider', { name: 'Effects' }).press('Home')
    expect(await stored(page, 'musicVolume')).toBe('0.7')
    expect(await stored(page, 'effectsVolume')).toBe('0')
    await expectBothLayouts(page)
  },
)

test('a refusal plays a sound only while the sound is on', VARIANT, async ({ page }) => {
  const knocks = () => effects(page, 0.5)
  const refuse = async () => {
    await page.getByRole('region', { name: 'Grandma' }).getByRole('button', { name: 'BUY' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
    await expect(page.getByRole('alertdialog')).toBeHidden()
  }
  await page.goto('/buy-pickers')
  await logIn(page)
  await refuse()
  expect(await knocks()).toBe(0)
  await soundButton(page).click()
  await expectMusic(page)
  await refuse()
  await expect.poll(knocks).toBe(1)
  await soundButton(page).click()
  await refuse()
  expect(await knocks()).toBe(1)
})

test('a hire, a claim and a tap play sounds', VARIANT, async ({ page, context }) => {
  await playAs(context, await createFundedPlayer(60_000))
  await page.goto('/')
  await expectHydrated(page)
  await page.getByRole('link', { name: 'Start picking' }).click()
  await expectMusic(page)
  await page.getByRole('region', { name: 'Kid' }).getByRole('button', { name: 'BUY' }).click()
  await expect.poll(() => effects(page, 0.7)).toBe(1)
  expect(await effects(page, 0.16)).toBe(1)
  await goTo(page, 'My Farm')
  const field = page.getByRole('article', { name: 'Kid' })
  await field.getByRole('button', { name: 'CLAIM', exact: true }).click()
  await expect.poll(() => effects(page, 0.95)).toBe(1)
})

test('without a decodable sound the game stays silent and reports no error', VARIANT, async ({ page }) => {
  await page.route(/\.(opus|m4a)$/, (route) => route.fulfill({ body: 'noise' }))
  await page.goto('/')
  await closeGreeting(page)
  await soundButton(page).click()
  await expect.poll(() => contexts(page)).toEqual(['suspended'])
  await expect(soundButton(page)).toHaveAttribute('aria-pressed', 'false')
})
