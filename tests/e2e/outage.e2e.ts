import { createFundedPlayer, playAs } from './funded-player.ts'
import {
  DESKTOP_ONLY,
  expect,
  expectAccessible,
  expectHydrated,
  ignoreOfflineErrors,
  test,
} from './browser-test.ts'

test(
  'an action pressed offline is refused at once, and is never sent later',
  DESKTOP_ONLY,
  async ({ page, context, complaints }) => {
    const player = await createFundedPlayer(60_000)
    await playAs(context, player)
    await page.goto('/buy-pickers')
    const kid = page.getByRole('region', { name: 'Kid', exact: true })
    await expect(kid).toContainText(/Available[\d,]+/)
    await expectHydrated(page)
    let sent = 0
    page.on('request', (request) => (sent += request.url().endsWith('/api/workers/purchase') ? 1 : 0))

    await context.setOffline(true)
    await kid.getByRole('button', { name: 'BUY' }).click()
    await expect(page.getByText('You are offline. Nothing was sent.')).toBeVisible({ timeout: 2_000 })
    await page.getByRole('alertdialog').getByRole('button').first().click()
    await context.setOffline(false)
    await expect(page.getByText('You are offline. You may be seeing old data.')).toBeHidden()
    // Nothing was queued for the time after the outage.
    await page.waitForResponse((answer) => answer.url().endsWith('/api/workers/types') && answer.ok())
    expect((await player.call('GET', '/api/workers/owned')).body).toMatchObject({ workers: [] })
    ignoreOfflineErrors(complaints)
  },
)

test(
  'an action that the game does not answer waits visibly and can be abandoned; pressed again, it counts once',
  DESKTOP_ONLY,
  async ({ page, context }) => {
    const player = await createFundedPlayer(60_000)
    await playAs(context, player)
    const keys: (string | undefined)[] = []
    let silent = true
    await page.route('**/api/workers/purchase', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      // The request arrives, its response does not.
      const response = await route.fetch()
      if (!silent) await route.fulfill({ response })
    })
    await page.goto('/buy-pickers')
    const kid = page.getByRole('region', { name: 'Kid', exact: true })
    await expect(kid).toContainText(/Available[\d,]+/)
    await kid.getByRole('button', { name: 'BUY' }).click()
    const waiting = page.getByRole('status').filter({ hasText: 'Waiting for the game…' })
    await expect(waiting).toBeVisible()
    await expectAccessible(page)
    await waiting.getByRole('button', { name: 'Cancel waiting' }).click()
    const alert = page.getByRole('alertdialog')
    await expect(alert).toContainText('It may have gone through. Trying again is safe: it counts only once.')
    await expect(waiting).toBeHidden()
    await alert.getByRole('button').first().click()

    silent = false
    await kid.getByRole('button', { name: 'BUY' }).click()
    await expect(page.getByText('Successfully purchased kid-')).toBeVisible()
    expect(keys).toHaveLength(2)
    expect(keys[1]).toBe(keys[0])
    expect((await player.call('GET', '/api/workers/owned')).body).toMatchObject({
      workers: [{ workerType: 'kid' }],
    })
  },
)
