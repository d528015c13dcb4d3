import { createFundedPlayer, playAs } from './funded-player.ts'
import { buildWorkerReply } from './delay-responses.ts'
import {
  DESKTOP_ONLY,
  goTo,
  closeGreeting,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  isPhone,
  test,
} from './browser-test.ts'
import type { Page } from '@playwright/test'

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Main pages' })

test('a phone has a bar with the main pages, the current one and what is ready; a desktop has the menu', async ({
  page,
  context,
}) => {
  await page.goto('/terms')
  await closeGreeting(page)
  await expect(tabs(page)).toBeVisible({ visible: isPhone(page) })
  if (!isPhone(page)) return
  await expect(tabs(page).getByRole('link')).toHaveText(['Farm', 'Hire', 'World', 'Me'])
  await playAs(context, await createFundedPlayer(0))
  const kid = buildWorkerReply({ workerId: 'kid-0001', workerType: 'kid', total: 8_072, claimed: 0, rate: 0 })
  await page.route('**/api/workers/owned', (route) => route.fulfill({ json: [kid] }))
  await page.reload()
  await expect(tabs(page).getByRole('link', { name: 'Farm 8,072 $COTTON ready' })).toBeVisible()
  await expect(tabs(page).locator('[aria-current]')).toHaveCount(0)
  for (const [name, heading] of Object.entries({ Hire: 'Buy Pickers', World: 'World Map', Me: 'Profile' })) {
    const tab = tabs(page).getByRole('link', { name, exact: true })
    await tab.click()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(tab).toHaveAttribute('aria-current', 'page')
    await expect(tabs(page).locator('[aria-current]')).toHaveCount(1)
  }
  await page.goto('/parcels/EU')
  await expect(tabs(page).locator('[aria-current]')).toHaveText('World')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test(
  'the time of day and the motion that a player chooses apply at once and at the next visit (X-18)',
  DESKTOP_ONLY,
  async ({ page, context }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await playAs(context, await createFundedPlayer(0))
    await page.goto('/profile')
    await page.getByRole('main').getByRole('button', { name: 'Settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.getByText('Night', { exact: true }).click()
    await settings.getByText('Reduced', { exact: true }).click()
    const mill = page.locator('.world-mill')
    const expectApplied = async () => {
      await expect(page.locator('html')).toHaveAttribute('data-time', 'night')
      await expect(mill).toHaveCSS('animation-name', 'none')
    }
    await expectApplied()
    await settings.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('main').getByRole('button', { name: 'Settings' })).toBeFocused()
    await page.reload()
    await expectApplied()
    await page.getByRole('main').getByRole('button', { name: 'Settings' }).click()
    await settings.getByText('As the system says').click()
    await settings.getByText('By the clock').click()
    await expect(mill).not.toHaveCSS('animation-name', 'none')
    expect(
      await page.evaluate(() => [localStorage.getItem('timeOfDay'), localStorage.getItem('motion')]),
    ).toEqual([null, null])
  },
)

test('after navigation the heading has the focus and the title is announced, after the first load neither', async ({
  page,
}) => {
  const heading = page.getByRole('heading', { level: 1 })
  const announced = page.locator('p[aria-live="polite"]')
  await page.goto('/terms')
  await closeGreeting(page)
  await expect(heading).not.toBeFocused()
  await expect(announced).toBeEmpty()
  await goTo(page, 'Buy Pickers')
  await expect(heading).toBeFocused()
  await expect(announced).toHaveText('Buy Pickers · Cotton Farm')
  await page.goBack()
  await expect(heading).toHaveText('Terms and risks')
  await expect(heading).toBeFocused()
  await expect(announced).toHaveText('Terms and risks · Cotton Farm')
})
