import { expect, settle, test, VARIANT } from './browser-test.ts'
import { playWithResponses, RESPONSES, WALLET } from './response-fixtures.ts'

const [LISTING] = RESPONSES.readListings!.listings

/** The land of Europe once this parcel belongs to the player. */
const landWith = (bought: string) =>
  RESPONSES.readParcels!.map((parcel) =>
    parcel.parcelId === bought ? { ...parcel, owned: true, ownerWallet: WALLET } : parcel,
  )

test('land that was bought without a response shows so once it is read', VARIANT, async ({ page }) => {
  let isBought = false
  const { EU, ...others } = RESPONSES.readContinentStats!
  await playWithResponses(page, (name, whole) => {
    if (isBought && name === 'readParcels') return landWith('EU-MT')
    if (isBought && name === 'readContinentStats')
      return { ...others, EU: { ...EU, version: EU.version + 1 } }
    return whole
  })
  await page.route('**/api/parcels/purchase', (route) => {
    isBought = true
    return route.abort()
  })
  await page.goto('/parcels/EU')
  await page.locator('[data-parcel="EU-MT"]').click()
  const details = page.getByRole('dialog', { name: 'Land Details' })
  await details.getByRole('button', { name: 'Buy This Parcel' }).click()
  await expect(details.getByText('Malta is yours!')).toBeVisible()
  await expect(details.getByText('Parcel EU-MT purchased successfully for 104,040 tokens.')).toBeVisible()
  await expect(details.getByText('Purchase Error')).toBeHidden()
})

test('a listing that was bought without a response shows so once it is read', VARIANT, async ({ page }) => {
  let isBought = false
  await playWithResponses(page, (name, whole) => {
    if (name === 'readParcels') return isBought ? landWith('EU-PL') : []
    if (isBought && name === 'readListings') return { ...RESPONSES.readListings!, listings: [] }
    return whole
  })
  await page.route('**/api/marketplace/purchase', (route) => {
    isBought = true
    return route.abort()
  })
  await page.goto('/marketplace')
  await page.locator(`[data-listing="${LISTING!.id}"]`).getByRole('button').click()
  const confirm = page.getByRole('dialog', { name: 'Confirm purchase: Poland' })
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  const yours = page.getByRole('dialog', { name: 'Poland is yours!' })
  await expect(yours.getByText('Purchase successful! The land is now yours.')).toBeVisible()
  await expect(yours.getByRole('link', { name: 'See Poland' })).toBeVisible()
})

test(
  'a listing without a response is not taken for bought because the player had the land before',
  VARIANT,
  async ({ page }) => {
    let isLost = false
    const { promise: read, resolve: answerRead } = Promise.withResolvers<void>()
    await playWithResponses(page, (name, whole) => {
      if (name === 'readParcels') return isLost ? [] : landWith('EU-PL')
      return whole
    })
    await page.route('**/api/parcels?owner=*', async (route) => {
      if (isLost) await read
      await route.fallback()
    })
    await page.route('**/api/marketplace/purchase', (route) => {
      isLost = true
      return route.abort()
    })
    await page.goto('/profile')
    await expect(page.locator('#owned-land').getByText('Poland').first()).toBeVisible()
    await page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name: 'Marketplace' }).click()
    await page.locator(`[data-listing="${LISTING!.id}"]`).getByRole('button').click()
    const confirm = page.getByRole('dialog', { name: 'Confirm purchase: Poland' })
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await expect(confirm.getByText('Purchase Error')).toBeVisible()
    answerRead()
    await settle(page)
    await expect(confirm.getByText('Purchase Error')).toBeVisible()
  },
)
