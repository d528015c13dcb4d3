import type { Locator, Page, Route } from '@playwright/test'
import { pauseClock } from './page-clock.ts'
import { expect, logIn, DESKTOP_ONLY, test, VARIANT, variantFrom } from './browser-test.ts'
import { HIRED_KID, RESPONSES, playWithResponses, WALLET } from './response-fixtures.ts'

type Act = {
  path: string
  /** Opens what contains the button, and returns the button. */
  find: (page: Page) => Promise<Locator>
  url: string
  reply: object
  toast: string
}

const kid = (page: Page) => page.getByRole('region', { name: 'kid', exact: true })
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name })
const claimed = { success: true, claimedAmount: 900, claimedWorkers: 2, newBalance: 500_900 }

const ACTS: Record<string, Act> = {
  'a picker on its card': {
    path: '/buy-pickers',
    find: async (page) => kid(page).getByRole('button', { name: 'BUY' }),
    url: '**/api/workers/purchase',
    reply: HIRED_KID,
    toast: 'Successfully purchased kid-0042!',
  },
  'a picker in its popup': {
    path: '/buy-pickers',
    find: async (page) => {
      await page.getByRole('button', { name: 'View kid' }).click()
      return inDialog(page, 'Purchase for 50,000 $COTTON')
    },
    url: '**/api/workers/purchase',
    reply: HIRED_KID,
    toast: 'Successfully purchased kid-0042!',
  },
  'a field': {
    path: '/myfarm',
    find: async (page) => page.getByRole('button', { name: 'CLAIM', exact: true }),
    url: '**/api/workers/claim-all',
    reply: claimed,
    toast: 'Successfully claimed tokens from all kid workers!',
  },
  'a worker': {
    path: '/workers',
    find: async (page) =>
      page.getByRole('region', { name: 'kid-0001' }).getByRole('button', { name: 'Claim Tokens' }),
    url: '**/api/workers/claim',
    reply: claimed,
    toast: 'Claimed 900 $COTTON tokens!',
  },
  land: {
    path: '/parcels/EU',
    find: async (page) => {
      await page.locator('[data-parcel="EU-MT"]').click()
      return inDialog(page, 'Buy This Parcel')
    },
    url: '**/api/parcels/purchase',
    reply: {
      success: true,
      message: '',
      parcel: { parcelId: 'EU-MT', owned: true, ownerWallet: WALLET, pricePaid: 104_040 },
      newContinentPrice: 106_121,
      newBalance: 395_960,
      version: 3,
    },
    toast: 'Parcel EU-MT purchased successfully for 104,040 tokens.',
  },
  'a listing': {
    path: '/marketplace',
    find: async (page) => {
      await page.locator(`[data-listing="${RESPONSES.readListings!.listings[0]!.id}"] button`).click()
      return inDialog(page, 'Confirm')
    },
    url: '**/api/marketplace/purchase',
    reply: { success: true, message: '', parcelId: 'EU-PL', newBalance: 380_000, version: 3 },
    toast: 'Purchase successful! The land is now yours.',
  },
  'a new listing': {
    path: '/parcels/EU',
    find: async (page) => {
      await page.locator('[data-parcel="EU-FR"]').click()
      await inDialog(page, 'Sell this land').click()
      await page.getByLabel('Price in $COTTON').fill('5000')
      await page.getByLabel('Type the price again to confirm').fill('5000')
      return inDialog(page, 'List for sale')
    },
    url: '**/api/marketplace/list',
    reply: { success: true, message: '', listing: RESPONSES.readListings!.listings[1]! },
    toast: 'France is on the market for 5,000 $COTTON.',
  },
  'a cancelled listing': {
    path: '/marketplace?tab=mine',
    find: async (page) => page.getByRole('button', { name: /^Cancel Listing/ }),
    url: '**/api/marketplace/cancel/*',
    reply: { success: true, message: '' },
    toast: 'Listing cancelled successfully.',
  },
}

/** The number of toasts with this text since the page was loaded, whether still visible or not. */
const countToasts = (page: Page, text: string): Promise<number> =>
  page.evaluate((wanted) => {
    const { shownToasts } = window as unknown as { shownToasts: string[] }
    return shownToasts.filter((each) => each.includes(wanted)).length
  }, text)

async function recordToasts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shownToasts: string[] = []
    const noted = new WeakSet<Node>()
    Object.assign(window, { shownToasts })
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll('[aria-label="Notifications"] > *')) {
        if (noted.has(toast)) continue
        noted.add(toast)
        shownToasts.push(toast.textContent ?? '')
      }
    }).observe(document, { childList: true, subtree: true })
  })
}

const pressTwice = (button: Locator): Promise<void> =>
  button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })

/** Opens the page of the act with the stored responses. Returns the number of its requests from then on. */
async function openAndCount(page: Page, { url, path, reply }: Act): Promise<{ count: number }> {
  const requests = { count: 0 }
  await playWithResponses(page)
  await page.route(url, (route) => {
    requests.count += 1
    return route.fulfill({ json: reply })
  })
  await page.goto(path)
  await expect(page.getByRole('complementary').getByText('500,000')).toBeVisible()
  return requests
}

for (const [index, [what, act]] of Object.entries(ACTS).entries()) {
  test(
    `two clicks in one frame send one request and show one toast: ${what} (S-69)`,
    variantFrom(1, index),
    async ({ page }) => {
      await recordToasts(page)
      const { path, find, toast } = act
      const requests = await openAndCount(page, act)
      const button = await find(page)
      await expect(button).toBeEnabled()
      await pressTwice(button)
      await expect(page.getByText(toast)).toBeVisible()
      expect(requests.count).toBe(1)
      // When its dialog closes, the toast moves to the page and stays the same one. Some results appear in the dialog.
      if (!path.startsWith('/marketplace') && what !== 'a new listing')
        expect(await countToasts(page, toast)).toBe(
          what === 'a picker in its popup' || what === 'land' ? 0 : 1,
        )
      await expect(page.getByText(toast)).toHaveCount(1)
    },
  )
}

test('two clicks in one frame on an unaffordable item show one message', VARIANT, async ({ page }) => {
  await recordToasts(page)
  await playWithResponses(page, (name, whole) =>
    name === 'readUser' ? { walletAddress: WALLET, creditBalance: 5 } : whole,
  )
  await page.goto('/parcels/EU')
  await expect(page.getByText('5', { exact: true }).filter({ visible: true }).first()).toBeVisible()
  await page.locator('[data-parcel="EU-MT"]').click()
  await pressTwice(inDialog(page, 'Buy This Parcel'))
  const sentence = 'Not enough credits to purchase this parcel.'
  await expect(page.getByRole('dialog').getByText(sentence)).toHaveCount(1)
  expect(await countToasts(page, sentence)).toBe(0)
})

test(
  'a click within 600 ms of a response buys nothing; a later click does (S-69)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await page.clock.install()
    await playWithResponses(page)
    const requests: Route[] = []
    await page.route('**/api/workers/purchase', (route) => void requests.push(route))
    await page.goto('/buy-pickers')
    const buy = kid(page).getByRole('button', { name: /^(BUY|PURCHASING\.\.\.)$/ })
    await expect(buy).toBeEnabled()
    await expect(page.getByRole('complementary').getByText('500,000')).toBeVisible()
    await pauseClock(page)
    const answer = async (request: number): Promise<void> => {
      await expect.poll(() => requests.length).toBe(request)
      await requests.at(-1)!.fulfill({ json: HIRED_KID })
      for (let round = 0; round < 300 && (await buy.getAttribute('aria-busy')) === 'true'; round += 1)
        await page.clock.runFor(1)
      await expect(buy).toHaveText('BUY')
    }
    await buy.dispatchEvent('click')
    await expect(buy).toHaveText('PURCHASING...')
    await answer(1)
    await expect(buy).toHaveAttribute('aria-disabled', 'true')
    await page.clock.runFor(500)
    await buy.dispatchEvent('click')
    await expect(buy).toHaveText('BUY')
    await page.clock.runFor(100)
    await expect(buy).not.toHaveAttribute('aria-disabled', 'true')
    expect(requests).toHaveLength(1)
    await buy.dispatchEvent('click')
    await expect(buy).toHaveText('PURCHASING...')
    await answer(2)
  },
)

test('a double click on land opens its details and does not buy it', DESKTOP_ONLY, async ({ page }) => {
  const land = ACTS['land']!
  const requests = await openAndCount(page, land)
  await page.locator('[data-parcel="EU-MT"]').dispatchEvent('click', { detail: 1 })
  // What the details show in the place of the card.
  const buy = inDialog(page, 'Buy This Parcel')
  await buy.dispatchEvent('click', { detail: 2 })
  await expect(buy).toBeVisible()
  expect(requests.count).toBe(0)
  await buy.click()
  await expect(page.getByText(land.toast)).toBeVisible()
})

test('a key that stays down opens a dialog and does not confirm it', VARIANT, async ({ page }) => {
  const purchase = ACTS['a listing']!
  const requests = await openAndCount(page, purchase)
  await page.locator(`[data-listing="${RESPONSES.readListings!.listings[0]!.id}"] button`).focus()
  await page.keyboard.down('Enter')
  const confirm = inDialog(page, 'Confirm')
  await expect(confirm).toBeFocused()
  // The second keydown of a key is a repeat.
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  // Not "Purchasing...", from the press on.
  await expect(confirm).toHaveText('Confirm')
  expect(requests.count).toBe(0)
  await confirm.press('Enter')
  await expect(page.getByText(purchase.toast)).toBeVisible()
})

test('two clicks in one frame withdraw once (S-69)', DESKTOP_ONLY, async ({ page }) => {
  await page.goto('/profile')
  await logIn(page)
  const limits = { ...RESPONSES.readWithdrawable, paused: false, pause: null }
  await page.route('**/api/users/withdrawable', (route) => route.fulfill({ json: limits }))
  let challenges = 0
  await page.route('**/api/users/withdrawals/challenge', (route) => {
    challenges += 1
    return route.fulfill({ json: { success: true, message: 'Sign me' } })
  })
  let requestCount = 0
  await page.route('**/api/users/withdrawals', (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    requestCount += 1
    return route.fulfill({ json: { success: true, newBalance: 0 } })
  })
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('800')
  await page.getByLabel('Amount to withdraw').fill('10')
  await pressTwice(inDialog(page, 'Confirm'))
  await expect(page.getByText('Withdrawal submitted successfully')).toHaveCount(1)
  expect([challenges, requestCount]).toEqual([1, 1])
})

test(
  'a second click on Cancel Listing does not cancel the listing that moved up',
  VARIANT,
  async ({ page }) => {
    const [first] = RESPONSES.readUserListings!.listings
    const listings = [first!, { ...first!, id: '0f8fad5b-d9cb-469f-a165-708677289509', parcelId: 'EU-PT' }]
    let cancelled: string[] = []
    await playWithResponses(page, (name, whole) =>
      name === 'readUserListings'
        ? { success: true, listings: listings.filter(({ id }) => !cancelled.includes(id)) }
        : whole,
    )
    await page.route('**/api/marketplace/cancel/*', (route) => {
      cancelled = [...cancelled, route.request().url().split('/').at(-1)!]
      return route.fulfill({ json: { success: true, message: '' } })
    })
    await page.clock.install()
    await page.goto('/marketplace?tab=mine')
    // Also while it says "Cancelling...": the listing has not moved up before that button is gone.
    const cancel = page.getByRole('button', { name: /^Cancel.* Poland$/ })
    await expect(cancel).toHaveCount(2)
    await pauseClock(page)
    await cancel.first().dispatchEvent('click')
    // The answers take real time, so the page's clock is advanced until they are there.
    const isAdvanced = async (done: () => Promise<boolean>): Promise<boolean> => {
      await page.clock.runFor(1)
      return done()
    }
    const hasOne = async () => (await cancel.count()) === 1
    await expect.poll(() => isAdvanced(hasOne), { intervals: [5] }).toBe(true)
    await cancel.dispatchEvent('click')
    await page.clock.runFor(300)
    expect(cancelled).toEqual([first!.id])
    await page.clock.runFor(600)
    const isFree = async () => (await cancel.getAttribute('aria-disabled')) !== 'true'
    await expect.poll(() => isAdvanced(isFree), { intervals: [5] }).toBe(true)
    await cancel.dispatchEvent('click')
    await expect.poll(() => cancelled.length).toBe(2)
  },
)
