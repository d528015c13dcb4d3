import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { DESKTOP_ONLY, expect, expectAccessible, expectBothLayouts, test, VARIANT } from './browser-test.ts'
import { delayResponses } from './delay-responses.ts'
import { createFundedPlayer, playAs } from './funded-player.ts'
import { installClock } from './page-clock.ts'
import { playWithResponses, RESPONSES } from './response-fixtures.ts'

const security = (page: Page) => page.getByRole('region', { name: 'Security' })
const confirmation = (page: Page, name: string) => page.getByRole('alertdialog', { name })

test('a login elsewhere is announced, listed and logged out', VARIANT, async ({ page, context }) => {
  const player = await createFundedPlayer(0)
  await playAs(context, player)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Show logins and lock' }).click()
  await expect(page.getByRole('heading', { name: 'Security' })).toBeFocused()
  await expect(security(page).getByText('You are logged in on this device only.')).toBeVisible()
  const notice = page.getByRole('alert', { name: 'New login to your account' })
  await expect(notice).toBeHidden()

  const elsewhere = await player.logInAgain()
  await page.goto('/myfarm')
  await expect(notice).toContainText('Unknown device')
  await expectBothLayouts(page)
  await notice.getByRole('link', { name: 'Show my logins' }).click()
  await expect(page.getByRole('heading', { name: 'Security' })).toBeFocused()
  await expect(security(page).getByRole('listitem')).toHaveCount(2)
  await notice.getByRole('button', { name: 'That was me' }).click()
  await expect(notice).toBeHidden()
  await security(page).getByRole('button', { name: 'Log out all other devices' }).click()
  await expect(page.getByText('One other device was logged out.')).toBeVisible()
  await expect(security(page).getByRole('heading', { name: 'Where you are logged in' })).toBeFocused()
  const headers = { 'x-auth-token': elsewhere }
  await expect
    .poll(async () => (await page.request.get('/api/users/sessions', { headers })).status())
    .toBe(401)
  expect(
    (await page.request.get('/api/users/sessions', { headers: { 'x-auth-token': player.token } })).ok(),
  ).toBe(true)
  await expectBothLayouts(page)
})

test(
  'each new login is announced, also if the notice of a later one was dismissed before',
  VARIANT,
  async ({ page }) => {
    const [sample] = RESPONSES.readSessions!.sessions
    const login = (id: string) => ({ ...sample, id, device: id, active: true, current: id === 'Here' })
    let sessions = [login('Here')]
    await playWithResponses(page, (name, whole) => (name === 'readSessions' ? { sessions } : whole))
    await page.goto('/myfarm')
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('Here')
    sessions = ['Here', 'Later', 'Earlier'].map(login)
    await page.reload()
    const notice = page.getByRole('alert', { name: 'New login to your account' })
    for (const device of ['Later', 'Earlier']) {
      await expect(notice).toContainText(device)
      await notice.getByRole('button', { name: 'That was me' }).click()
    }
    await expect(notice).toBeHidden()
  },
)

test('of two logins that are ended at once, each is busy until it has ended', VARIANT, async ({ page }) => {
  const devices = ['First', 'Second']
  const [sample] = RESPONSES.readSessions!.sessions
  const sessions = devices.map((device) => ({ ...sample, id: device, device, active: true, current: false }))
  await playWithResponses(page, (name, whole) => (name === 'readSessions' ? { sessions } : whole))
  const end = '**/api/users/sessions/end'
  await page.route(end, (route) => route.fulfill({ json: { success: true } }))
  const delayed = await delayResponses(page, end)
  await page.goto('/profile#security')
  const buttons = devices.map((device) =>
    security(page).getByRole('button', { name: `Log out ${device}`, exact: true }),
  )
  for (const button of buttons) await button.click()
  for (const button of buttons) await expect(button).toHaveAttribute('aria-busy', 'true')
  delayed.release()
  for (const button of buttons) await expect(button).not.toHaveAttribute('aria-busy')
  expect(delayed.callCount).toBe(2)
})

test(
  'a lock stops withdrawals at once and opens only after its time',
  DESKTOP_ONLY,
  async ({ page, context }) => {
    const player = await createFundedPlayer(2_000)
    await playAs(context, player)
    await page.goto('/profile#security')
    await security(page).getByLabel('Unlocking takes').selectOption('24 hours')
    await security(page).getByRole('button', { name: 'Lock withdrawals' }).click()
    await confirmation(page, 'Lock your withdrawals?')
      .getByRole('button', { name: 'Lock withdrawals' })
      .click()
    await expect(security(page).getByRole('status')).toHaveText(/^On\. Nothing can be withdrawn\./)
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
    await expect(dialog).toContainText('Your withdrawals are locked.')
    await expect(dialog.getByRole('button', { name: 'Confirm' })).toBeDisabled()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const asked = await player.call('POST', '/api/users/withdrawals/challenge', { amount: 1_000 })
    expect(asked.body.code).toBe('withdrawals_locked')

    await security(page).getByRole('button', { name: 'Unlock', exact: true }).click()
    await confirmation(page, 'Weaken your lock?').getByRole('button', { name: 'Unlock' }).click()
    await expect(security(page).getByRole('status')).toContainText('Withdrawals open on')
    expect((await player.call('POST', '/api/users/withdrawals/challenge', { amount: 1_000 })).body.code).toBe(
      'withdrawals_locked',
    )
    await security(page).getByRole('button', { name: 'Keep it locked' }).click()
    await expect(security(page).getByRole('status')).not.toContainText('Withdrawals open on')

    // The panel was opened by the address, which is another one now.
    await page.getByRole('button', { name: 'Get Deposit Address' }).click()
    await expect(page.getByRole('region', { name: 'Deposit', exact: true })).toBeVisible()
    await expect(security(page).getByLabel('Unlocking takes')).toBeVisible()
  },
)

test('a limit that resets applies in a withdrawal dialog that is open', VARIANT, async ({ page }) => {
  await installClock(page)
  let earnedToday = 0
  await playWithResponses(page, (name, whole) => {
    if (name === 'readWithdrawalLock') return { success: true, lock: { hours: 0, next: null } }
    if (name !== 'readWithdrawable') return whole
    const limits = { deposited: 0, earned: 1_000, earnedToday, withdrawable: earnedToday }
    return { ...RESPONSES.readWithdrawable, ...limits, paused: false, pause: null }
  })
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
  await dialog.getByLabel('Amount to withdraw').fill('300')
  await expect(dialog).toContainText('Right now you can withdraw at most 0.')
  // The error of a press does not outlast the limit either.
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(dialog).toContainText('Right now you can withdraw at most 0 $COTTON.')
  earnedToday = 400
  await page.clock.fastForward(10_000)
  await expect(dialog).toContainText('Available now. 300 of it are earnings')
})

test('a lock that ends opens withdrawals in a dialog that is open', VARIANT, async ({ page }) => {
  await installClock(page)
  let lock: object = { hours: 24, next: { hours: 0, at: '2026-11-20T09:12:00.000Z' } }
  await playWithResponses(page, (name, whole) => {
    if (name === 'readWithdrawalLock') return { success: true, lock }
    if (name !== 'readWithdrawable') return whole
    return { ...RESPONSES.readWithdrawable, paused: false, pause: null }
  })
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
  await expect(dialog).toContainText('Your withdrawals are locked. They open on')
  lock = { hours: 0, next: null }
  await page.clock.fastForward(30_000)
  await expect(dialog.getByLabel('Amount to withdraw')).toBeVisible()
})

test(
  'the history is filtered and downloaded, and a statement sums it up',
  VARIANT,
  async ({ page, context }) => {
    const player = await createFundedPlayer(60_000)
    const kid = { workerType: 'kid', walletAddress: player.address }
    expect((await player.call('POST', '/api/workers/purchase', kid)).status).toBe(200)
    await playAs(context, player)
    await page.goto('/profile')
    const history = page.getByRole('region', { name: 'Transaction History' })
    const rows = history.getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await history.getByLabel('Kind').selectOption('Deposit')
    await expect(rows).toHaveCount(1)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      history.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const text = await readFile(await file.path(), 'utf8')
    const [header, ...records] = text.trimEnd().split('\r\n')
    expect(header).toContain('Amount ($COTTON)')
    expect(records).toHaveLength(1)
    expect(records[0]).toContain(',deposit,60000,')
    await history.getByLabel('From').fill('2020-01-01')
    await history.getByLabel('To', { exact: true }).fill('2020-01-02')
    await expect(history).toContainText('Nothing matches these filters.')
    // The first day passes the last one, until that is changed too.
    const read = page.waitForResponse(/&from=2030-01-01&to=2030-01-02$/)
    await history.getByLabel('From').fill('2030-01-01')
    await history.getByLabel('To', { exact: true }).fill('2030-01-02')
    await read
    await expect(history).toContainText('Nothing matches these filters.')
    await history.getByRole('button', { name: 'Clear' }).click()
    await expect(rows).toHaveCount(2)
    await expect(history.getByRole('heading', { name: 'Transaction History' })).toBeFocused()

    await page.getByRole('button', { name: 'Show statement' }).click()
    const statement = page.getByRole('region', { name: 'Monthly statement' })
    const figuresOf = (name: string) => statement.getByRole('row', { name }).getByRole('cell')
    await expect(figuresOf('Opening balance')).toHaveText(['0', '0'])
    await expect(figuresOf('Deposit')).toHaveText(['+60,000', '0'])
    await expect(figuresOf('Balance so far')).toHaveText(['10,000', '0'])
    await expectBothLayouts(page)
  },
)

test('a month that cannot be read leaves all months to choose from', VARIANT, async ({ page }) => {
  const { statement } = RESPONSES.readStatement!
  await playWithResponses(page, (name, whole) =>
    name === 'readStatement' ? { success: true, statement: { ...statement, firstMonth: '2025-01' } } : whole,
  )
  await page.goto('/profile#statement')
  const panel = page.getByRole('region', { name: 'Monthly statement' })
  const choice = panel.getByRole('combobox', { name: 'Month' })
  const earliest = choice.getByRole('option').last()
  await expect(earliest).toHaveText('2025-01')
  // The answer never comes.
  await page.route(/\/api\/users\/statement\?/, () => undefined)
  await choice.selectOption('2025-03')
  await expect(panel).toContainText('Loading')
  await expect(earliest).toHaveText('2025-01')
})
