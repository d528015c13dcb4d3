import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, isPhone, VARIANT_ON_BOTH } from './browser-test.ts'
import { playAs } from './funded-player.ts'
import { createPlayer, createSeller, runOps, shareMarket, test } from './open-market.ts'

shareMarket()

const REASON = 'We are looking into your report of a stolen phone. Write to support@farm.example.'

const noteOn = (page: Page) => page.getByRole('status').filter({ hasText: 'Your wallet is frozen.' })

test(
  'the player of a frozen wallet reads why on every page, and moves nothing (X-32)',
  VARIANT_ON_BOTH,
  async ({ page, context }) => {
    const lands = isPhone(page) ? ['AF-KE', 'AF-MG'] : ['AF-GH', 'AF-EG']
    const seller = await createSeller(lands[test.info().retry]!, 120_000)
    const ana = await createPlayer(200_000)
    const hire = { workerType: 'kid', walletAddress: ana.address }
    expect((await ana.call('POST', '/api/workers/purchase', hire)).status).toBe(200)
    await playAs(context, ana)
    await page.goto('/buy-pickers')
    await expect(page.getByRole('button', { name: 'BUY' }).first()).toBeEnabled()
    await expect(noteOn(page)).toBeHidden()

    // A page that does not know yet is refused with the reason.
    await page.route(`**/api/users/wallet/${ana.address}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), frozen: null } })
    })
    runOps('freeze', ana.address, '--reason', REASON)
    runOps('freeze', seller.address, '--reason', REASON)
    await page.getByRole('button', { name: 'BUY' }).first().click()
    await expect(page.getByText(`The operator gives this reason: ${REASON}`).first()).toBeVisible()
    expect((await ana.call('POST', '/api/workers/purchase', hire)).body.code).toBe('wallet_frozen')
    await page.unrouteAll({ behavior: 'wait' })

    for (const path of ['/', '/myfarm', '/marketplace', '/profile', '/buy-pickers']) {
      await page.goto(path)
      await expect(noteOn(page)).toContainText(REASON)
      await expectNoSidewaysScroll(page)
    }
    await expectAccessible(page)
    const buy = page.getByRole('button', { name: 'BUY' }).first()
    await expect(buy).toBeDisabled()
    await expect(buy).toHaveAccessibleDescription(new RegExp(REASON))
    await expect(buy).toHaveAttribute('title', 'Your wallet is frozen')
    await buy.click({ force: true })
    await expect(page.locator('#wallet-frozen')).toBeFocused()

    // A dialog covers the note, and says the reason itself.
    await page.getByRole('button', { name: 'View Kid' }).click()
    const offer = page.getByRole('dialog', { name: 'Kid' })
    await offer.getByRole('button', { name: 'Purchase for' }).click({ force: true })
    await expect(offer.getByRole('status').filter({ hasText: REASON })).toContainText('Your wallet is frozen')

    await page.goto('/profile')
    await expect(page.getByRole('button', { name: 'Withdraw', exact: true })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Get Deposit Address' })).toBeEnabled()
    await page.goto('/marketplace')
    await expect(page.getByRole('button', { name: /^Purchase/ }).first()).toBeDisabled()
    await expectAccessible(page)

    // Others cannot buy what a frozen wallet has listed.
    const ben = await createPlayer(200_000)
    const { body } = await ben.call('GET', `/api/marketplace/listings/user/${seller.address}`)
    const [listing] = (body as { listings: { id: string }[] }).listings
    const purchase = { listingId: listing!.id, walletAddress: ben.address }
    expect((await ben.call('POST', '/api/marketplace/purchase', purchase)).body.code).toBe(
      'listing_suspended',
    )
  },
)
