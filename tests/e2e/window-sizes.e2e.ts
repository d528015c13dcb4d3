import { createFundedPlayer, playAs } from './funded-player.ts'
import { buildWorkerReply } from './delay-responses.ts'
import {
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
