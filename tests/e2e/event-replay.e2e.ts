import type { Locator, Page } from '@playwright/test'
import { createFundedPlayer, playAs } from './funded-player.ts'
import { installPhantom } from './fake-phantom.ts'
import { closeGreeting, expect, expectHydrated, DESKTOP_ONLY, test, VARIANT } from './browser-test.ts'

/** The code that has not been loaded at the time of the click. */
const DELAYED_FILES = {
  'its first script': '**/assets/main-*.js',
  'the app': '**/assets/start-*.js',
  'the menu': '**/assets/layout-*.js',
  'the code of the page': '**/assets/*-page-*.js',
}
type DelayedPart = keyof typeof DELAYED_FILES

/** Delays code until the returned function is called. */
async function delayCode(page: Page, delayed: DelayedPart): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(DELAYED_FILES[delayed], async (route) => {
    await promise
    await route.continue()
  })
  return async () => {
    resolve()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/** Opens a page and delays a part of its code until the returned function is called. */
async function openDelayed(page: Page, path: string, delayed: DelayedPart): Promise<() => Promise<void>> {
  const release = await delayCode(page, delayed)
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  return release
}

const inMenu = (page: Page, name: string) => page.locator('aside').getByRole('button', { name })
const inPage = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name }).first()
const expectDialog = (page: Page, title: string) =>
  expect(page.getByRole('dialog', { name: title })).toBeVisible()
const LOG_IN = 'You need to be logged in'
const noPhantom = (page: Page) => expect(page.getByRole('alertdialog')).toContainText('Phantom')

type Press = {
  path: string
  what: string
  press: (page: Page) => Promise<void>
  done: (page: Page) => Promise<unknown>
  /** The result needs further code, so it appears later. */
  comesLate?: boolean
}

const VISITOR: Press[] = [
  {
    path: '/',
    what: 'the menu',
    press: (page) => page.getByRole('button', { name: 'Open menu' }).click(),
    done: (page) => expect(page.getByRole('navigation', { name: 'Game' })).toBeVisible(),
    comesLate: true,
  },
  {
    path: '/',
    what: 'the music',
    press: (page) => page.getByRole('button', { name: 'Music and sounds' }).click(),
    done: (page) =>
      expect(page.getByRole('button', { name: 'Music and sounds' })).toHaveAttribute('aria-pressed', 'true'),
  },
  {
    path: '/',
    what: 'the wallet, on the hero',
    press: (page) => page.getByRole('button', { name: 'Connect wallet' }).click(),
    done: noPhantom,
    comesLate: true,
  },
  {
    path: '/buy-pickers',
    what: 'the wallet, in the menu',
    press: (page) => inMenu(page, 'Connect wallet').click(),
    done: noPhantom,
    comesLate: true,
  },
  {
    path: '/buy-pickers',
    what: 'the wallet, in the header, with Enter',
    press: (page) => inPage(page, 'Connect wallet').press('Enter'),
    done: noPhantom,
    comesLate: true,
  },
  {
    path: '/buy-pickers',
    what: 'a deposit, with the space bar',
    press: (page) => inMenu(page, 'Deposit').press(' '),
    done: (page) => expectDialog(page, LOG_IN),
  },
  {
    path: '/buy-pickers',
    what: 'a first step',
    press: (page) => inPage(page, 'Choose a wallet').click(),
    done: (page) => expectDialog(page, LOG_IN),
  },
  {
    path: '/buy-pickers',
    what: 'the end of the first steps',
    press: (page) => inPage(page, 'Hide the first steps').click(),
    done: (page) => expect(page.getByRole('button', { name: 'Hide the first steps' })).toBeHidden(),
  },
  {
    path: '/buy-pickers',
    what: 'a picker from near',
    press: (page) => inPage(page, 'View Grandma').click(),
    done: (page) => expectDialog(page, 'Grandma'),
    comesLate: true,
  },
  {
    path: '/buy-pickers',
    what: 'a hire',
    press: (page) => inPage(page, 'BUY').click(),
    done: (page) => expectDialog(page, LOG_IN),
  },
  {
    path: '/marketplace',
    what: 'a tab',
    press: (page) => page.getByRole('tab', { name: 'My Listings' }).click(),
    done: (page) =>
      expect(page.getByRole('tab', { name: 'My Listings' })).toHaveAttribute('aria-selected', 'true'),
  },
  ...['/myfarm', '/owned-workers', '/profile'].map((path) => ({
    path,
    what: `the gate of ${path}`,
    press: (page: Page) =>
      page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).last().click(),
    done: noPhantom,
    comesLate: true,
  })),
  {
    path: '/parcels',
    what: 'a link',
    press: (page) =>
      page
        .getByRole('main')
        .getByRole('link', { name: /Europe/ })
        .first()
        .click(),
    done: (page) => expect(page).toHaveURL(/\/parcels\/EU$/),
  },
]

const ONE_OF_EACH_PAGE = VISITOR.filter(
  ({ path }, at) => at === VISITOR.findIndex((each) => each.path === path),
)
const PRESSES: [held: DelayedPart, presses: Press[]][] = [
  ['its first script', VISITOR],
  ['the app', ONE_OF_EACH_PAGE],
]

for (const [delayed, presses] of PRESSES) {
  test(`a visitor’s clicks before ${delayed} has loaded are replayed`, VARIANT, async ({ page }) => {
    test.setTimeout(180_000)
    await page.clock.install()
    const lost: string[] = []
    for (const { path, what, press, done, comesLate = false } of presses) {
      await page.clock.pauseAt(Date.now() + 1_000)
      await page.goto('/robots.txt')
      await page.evaluate(() => localStorage.clear())
      const release = await openDelayed(page, path, delayed)
      await press(page)
      await release()
      if (comesLate) await page.clock.resume()
      await done(page).catch((error) => lost.push(`${what}: ${String(error).slice(0, 200)}`))
    }
    expect(lost).toEqual([])
  })
}

test('a player’s clicks before the app has loaded are replayed', DESKTOP_ONLY, async ({ page, context }) => {
  const openAndPress = async (path: string, press: () => Promise<void>): Promise<void> => {
    const release = await openDelayed(page, path, 'its first script')
    await press()
    await release()
  }
  await playAs(context, await createFundedPlayer(0))
  await openAndPress('/buy-pickers', () => page.locator('aside :text("Deposit"):visible').click())
  await expect(page).toHaveURL(/\/profile\?section=deposit$/)
  await openAndPress('/myfarm', () => page.locator('aside button:has(.for-player)').click())
  await expect(page).toHaveURL(/\/profile$/)
  await openAndPress('/parcels', () => inMenu(page, 'Settings').click())
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
})

test('a click that spans the hydration counts', VARIANT, async ({ page, context }) => {
  const press = async (path: string, button: () => Locator): Promise<void> => {
    const release = await openDelayed(page, path, 'the app')
    await button().hover()
    await page.mouse.down()
    await release()
    await expectHydrated(page)
    await page.mouse.up()
  }
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  await press('/buy-pickers', () => inMenu(page, 'Connect wallet'))
  await expect(inMenu(page, 'Connecting…')).toBeVisible()
  await press('/', () => page.getByRole('button', { name: 'Connect wallet' }))
  await expect(page.getByRole('button', { name: 'Connecting…' })).toBeVisible()
  await playAs(context, await createFundedPlayer(0))
  await press('/myfarm', () => page.locator('aside button:has(.for-player)'))
  await expect(page).toHaveURL(/\/profile$/)
})

test('repeated clicks on a button before hydration count once', VARIANT, async ({ page, context }) => {
  await playAs(context, await createFundedPlayer(0))
  let hires = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/workers/purchase')) hires += 1
  })
  const release = await openDelayed(page, '/buy-pickers', 'its first script')
  for (let times = 0; times < 3; times += 1) await inPage(page, 'BUY').click()
  await release()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  expect(hires).toBe(1)
  const releaseHero = await openDelayed(page, '/', 'the app')
  const music = page.getByRole('button', { name: 'Music and sounds' })
  await music.dblclick()
  await releaseHero()
  await expect(music).toHaveAttribute('aria-pressed', 'true')
})

test('early clicks on several buttons are replayed in order', VARIANT, async ({ page }) => {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  const release = await openDelayed(page, '/marketplace', 'the app')
  await page.getByRole('tab', { name: 'My Listings' }).click()
  await inPage(page, 'Hide the first steps').click()
  await inMenu(page, 'Deposit').click()
  // By then the deposit popup covers it.
  await page.getByRole('tab', { name: 'All Listings' }).click()
  await release()
  await expectDialog(page, LOG_IN)
  await expect(page.getByRole('button', { name: 'Hide the first steps' })).toHaveCount(0)
  await expect(page.locator('#tab-mine')).toHaveAttribute('aria-selected', 'true')
})

for (const delayed of ['the menu', 'the code of the page'] as const) {
  test(`a wallet gets one request when ${delayed} loads late`, VARIANT, async ({ page }) => {
    const { received } = await installPhantom(page)
    const release = await openDelayed(page, '/buy-pickers', delayed)
    await inMenu(page, 'Connect wallet').click()
    await page.waitForTimeout(300)
    await release()
    await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
    expect(received).toEqual(['connect', 'sign message'])
  })
}

test('a wallet that registers after the app has started gets the request', VARIANT, async ({ page }) => {
  const { received } = await installPhantom(page, { lateMs: 300 })
  const release = await openDelayed(page, '/buy-pickers', 'the app')
  await inMenu(page, 'Connect wallet').click()
  await release()
  await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
  expect(received).toEqual(['connect', 'sign message'])
})

test.describe('where the app does not load', () => {
  for (const [what, files] of [
    ['its first script', DELAYED_FILES['its first script']],
    ['the app', DELAYED_FILES['the app']],
  ] as const) {
    test(
      `without ${what} the page shows a message, and its links work`,
      VARIANT,
      async ({ page, complaints }) => {
        await page.route(files, (route) => route.abort())
        await page.goto('/buy-pickers')
        const note = page.getByRole('alert')
        await expect(note).toContainText('The game failed to load.')
        await inPage(page, 'BUY').click()
        await page.getByRole('main').getByRole('link', { name: 'My Farm' }).click()
        await expect(page).toHaveURL(/\/myfarm$/)
        await expect(note).toBeVisible()
        await page.unrouteAll({ behavior: 'wait' })
        await note.getByRole('link', { name: 'Reload the page' }).click()
        await expectHydrated(page)
        await expect(note).toBeHidden()
        await expect(page).toHaveURL(/\/myfarm$/)
        complaints.splice(0)
      },
    )
  }

  test(
    'without its first style sheet a page that starts shows the message, too',
    VARIANT,
    async ({ page, context, complaints }) => {
      await playAs(context, await createFundedPlayer(0))
      await page.route('**/assets/main-*.css', (route) => route.fulfill({ status: 404 }))
      await page.goto('/buy-pickers')
      await expectHydrated(page)
      const note = page.locator('#load-failure')
      await expect(note).toBeInViewport()
      await page.unrouteAll({ behavior: 'wait' })
      await note.getByRole('link', { name: 'Reload the page' }).click()
      await expect(note).toBeHidden()
      await expectHydrated(page)
      complaints.splice(0)
    },
  )

  test(
    'a page whose code fails to load shows a message beside the menu',
    VARIANT,
    async ({ page, complaints }) => {
      await page.route(DELAYED_FILES['the code of the page'], (route) => route.abort())
      await page.goto('/buy-pickers')
      await expect(page.getByRole('alert')).toContainText('Something broke on this page')
      await closeGreeting(page)
      await inMenu(page, 'Music and sounds').click()
      await expect(inMenu(page, 'Music and sounds')).toHaveAttribute('aria-pressed', 'true')
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('button', { name: 'Reload the page' }).click()
      await expect(inPage(page, 'BUY')).toBeEnabled()
      complaints.splice(0)
    },
  )

  test('a failed script of an extension shows no message', VARIANT, async ({ page }) => {
    const release = await openDelayed(page, '/buy-pickers', 'the app')
    await inPage(page, 'Hide the first steps').click()
    await page.evaluate(() => {
      const script = document.head.appendChild(document.createElement('script'))
      script.dispatchEvent(new Event('error'))
    })
    await expect(page.getByRole('alert')).toBeHidden()
    await release()
    await expect(page.getByRole('button', { name: 'Hide the first steps' })).toBeHidden()
  })

  test(
    'a page that was offline loads when the connection is back',
    VARIANT,
    async ({ page, context, complaints }) => {
      const release = await openDelayed(page, '/buy-pickers', 'the app')
      await context.setOffline(true)
      await release()
      await expect(page.getByRole('alert')).toContainText('The game failed to load.')
      await context.setOffline(false)
      await expectHydrated(page)
      await expect(page.getByRole('alert')).toBeHidden()
      complaints.splice(0)
    },
  )
})
