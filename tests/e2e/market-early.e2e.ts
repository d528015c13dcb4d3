import { playAs } from './funded-player.ts'
import { openMarket, signOps, createPlayer, test } from './open-market.ts'
import { expect, expectBothLayouts, VARIANT } from './browser-test.ts'

openMarket('auto')

test('only the continent that the operator opens early can be traded (A-22)', VARIANT, async ({ page }) => {
  const seller = await createPlayer(450_000)
  await seller.buy('EU-FR')
  await seller.buy('AF-EG')
  await playAs(page.context(), seller)
  await page.goto('/marketplace')
  const popup = page.getByRole('dialog', { name: 'Marketplace is not launched yet' })
  await expect(popup).toBeVisible()

  // The page updates without a reload.
  signOps('market', 'open', 'EU')
  await expect(popup).toBeHidden()
  await expect(page.getByText('Open so far: Europe')).toBeVisible()
  await expectBothLayouts(page)
  const menu = page.getByRole('navigation', { name: 'Game' })
  await expect(menu.locator('a[href="/marketplace"]')).toBeVisible()

  await page.goto('/profile')
  await expect(page.getByRole('button', { name: 'Sell France' })).toBeVisible()
  await expect(page.getByText('Egypt').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sell Egypt' })).toHaveCount(0)
  const body = { parcelId: 'AF-EG', price: 500, walletAddress: seller.address }
  expect(await seller.call('POST', '/api/marketplace/list', body)).toMatchObject({
    body: { message: 'The marketplace is not open.' },
  })

  signOps('market', 'close', 'EU')
  await expect(page.getByRole('button', { name: 'Sell France' })).toHaveCount(0)
})
