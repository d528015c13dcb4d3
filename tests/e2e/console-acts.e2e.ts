import type { Page } from '@playwright/test'
import { closeWith, expect, factOf, openConsole, OPERATORS, openPage, signAct, test } from './console-test.ts'
import { PLAYERS } from './console-world.ts'

const openAct = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

const giveReason = (page: Page, reason: string): Promise<void> =>
  page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill(reason)

test('two operators approve a large withdrawal: the second sees who was first', async ({
  page,
  browser,
  standIn,
}) => {
  const { id } = standIn.world.withdrawals[0]!
  await openConsole(page, `/withdrawals/${id}`)
  const other = await browser.newContext({ baseURL: standIn.url })
  const second = await other.newPage()
  await openConsole(second, `/withdrawals/${id}`)

  await openAct(page, 'Approve')
  const message = await signAct(page)
  expect(message).toContain(`Act: approve withdrawal ${id}`)
  expect(message).toContain('Amount: 150,000 $COTTON')
  await expect(page.getByRole('dialog').getByText('The signer is executing it')).toBeVisible()
  await closeWith(page, 'Approved. A second operator must approve it too.')
  await expect(page.getByRole('button', { name: /^Approve/ })).toHaveAttribute('aria-disabled', 'true')

  await expect(factOf(second, 'Approvals')).toHaveText('1 of 2')
  await expect(second.getByRole('region', { name: 'What is to be paid' })).toContainText('Ana')
  await openAct(second, 'Approve')
  await signAct(second)
  await closeWith(second, 'Approved. The signer pays it.')
  await expect(factOf(page, 'State')).toHaveText('Approved')
  expect(standIn.world.acts.map(({ name, state }) => `${name} ${state}`)).toEqual(['Ben done', 'Ana done'])
  await other.close()
})

test(
  'a decision about something that has changed is refused before it is signed',
  { tag: '@once' },
  async ({ page, standIn }) => {
    const withdrawal = standIn.world.withdrawals[2]!
    await openConsole(page, `/withdrawals/${withdrawal.id}`)
    await openAct(page, 'Approve')
    withdrawal.state = 'refunded'
    standIn.world.version += 1
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(/^This has changed while the window was open/)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Show the message' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  },
)

test('what the signer refuses is shown in its words', { tag: '@once' }, async ({ page, standIn }) => {
  const withdrawal = standIn.world.withdrawals[2]!
  await openConsole(page, `/withdrawals/${withdrawal.id}`)
  await openAct(page, 'Reject')
  await giveReason(page, 'Duplicate request')
  await page.getByRole('dialog').getByRole('button', { name: 'Show the message' }).click()
  withdrawal.state = 'approved'
  await page.getByRole('dialog').getByRole('button', { name: 'Sign with the wallet' }).click()
  await closeWith(page, 'The withdrawal is not in review any more. Nothing was changed.')
})

test('a rejection needs a reason', { tag: '@once' }, async ({ page, standIn }) => {
  const withdrawal = standIn.world.withdrawals[1]!
  await openConsole(page, `/withdrawals/${withdrawal.id}`)
  await openAct(page, 'Reject')
  await page.getByRole('dialog').getByRole('button', { name: 'Show the message' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Write a reason.')
  await giveReason(page, '  Duplicate\nrequest ')
  expect(await signAct(page)).toContain('Reason: Duplicate request\n')
  await closeWith(page, 'Rejected. The amount is back in the balance.')
  await expect(factOf(page, 'State')).toHaveText('Refunded')
})

test(
  'a double click on every button of an act gives one effect',
  { tag: '@once' },
  async ({ page, standIn }) => {
    await openConsole(page, '/withdrawals')
    await page.getByRole('button', { name: 'Pause withdrawals' }).click()
    await giveReason(page, 'Checking the reserve')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause now' }).dblclick()
    await closeWith(page, 'Withdrawals are paused.')
    expect(standIn.world.log).toHaveLength(1)
    await expect(page.getByText('Withdrawals are paused: Checking the reserve')).toBeVisible()

    await page.getByRole('button', { name: 'Resume withdrawals' }).click()
    await giveReason(page, 'The reserve is fine')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Show the message' }).dblclick()
    await dialog.getByRole('button', { name: 'Sign with the wallet' }).dblclick()
    await closeWith(page, 'Withdrawals are resumed.')
    expect(standIn.world.acts).toHaveLength(1)
    await expect(page.getByText(/^Withdrawals are paused/)).toBeHidden()
  },
)

test(
  'a lost answer is checked before anything is signed again',
  { tag: '@once' },
  async ({ page, standIn }) => {
    const withdrawal = standIn.world.withdrawals[1]!
    await openConsole(page, `/withdrawals/${withdrawal.id}`)
    await page.route('**/acts/submit', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await openAct(page, 'Approve')
    await signAct(page)
    await expect(page.getByRole('dialog').getByText(/^The answer was lost/)).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Check again' }).click()
    await closeWith(page, 'Approved. The signer pays it.')
    expect(standIn.world.acts).toHaveLength(1)
  },
)

test('a player is frozen, logged out, adjusted and unfrozen', async ({ page, standIn }) => {
  await openConsole(page, `/players/${PLAYERS[1]}`)
  await openAct(page, 'Freeze')
  await giveReason(page, 'Under investigation')
  await page.getByRole('dialog').getByRole('button', { name: 'Freeze now' }).click()
  await closeWith(page, 'The wallet is frozen.')
  await expect(page.getByText('Frozen by Ana: Under investigation')).toBeVisible()

  await openAct(page, 'End sessions')
  await giveReason(page, 'Stolen device')
  await page.getByRole('dialog').getByRole('button', { name: 'End them now' }).click()
  await closeWith(page, '1 session was ended.')

  await openAct(page, 'Adjust balance')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Direction' }).selectOption('Take')
  await giveReason(page, 'Credited twice')
  await dialog.getByRole('button', { name: 'Show the message' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Write an amount above 0, with at most 6 decimals.')
  await dialog.getByRole('textbox', { name: 'Amount in $COTTON' }).fill('1,250.5')
  const message = await signAct(page)
  expect(message).toContain('Act: adjust deposited credit')
  expect(message).toContain('Amount: -1,250.5 $COTTON')
  await closeWith(page, 'Executed: adjust.')

  await openAct(page, 'Unfreeze')
  await giveReason(page, 'Cleared')
  await signAct(page)
  await closeWith(page, 'The wallet can move value again.')
  await expect(page.getByText(/^Frozen by/)).toBeHidden()
  expect(standIn.world.log.map(({ command }) => command)).toEqual(['end-sessions', 'freeze'])
})

test('a market is opened early, and players read an announcement until it is ended', async ({
  page,
  standIn,
}) => {
  await openConsole(page, '/world')
  const europe = page.getByRole('row', { name: /Europe/ })
  await europe.getByRole('button', { name: 'Open the market' }).click()
  await giveReason(page, 'Event')
  expect(await signAct(page)).toContain('Act: open the market of Europe')
  await closeWith(page, 'The market of EU is open.')
  await expect(europe).toContainText('opened by an operator')

  await openAct(page, 'New announcement')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Announce' }).click()
  await expect(dialog.getByText('Write what players read.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'What players read' }).fill('An update comes at nine.')
  await dialog.getByRole('button', { name: 'Announce' }).click()
  await closeWith(page, 'The announcement is stored.')
  await expect(page.getByRole('rowheader', { name: 'An update comes at nine.' })).toBeVisible()
  await page
    .getByRole('row', { name: /An update/ })
    .getByRole('button', { name: 'End' })
    .click()
  await giveReason(page, 'It is over')
  await dialog.getByRole('button', { name: 'End it now' }).click()
  await closeWith(page, 'The announcement has ended.')
  expect(standIn.world.announcements[0]!.state).toBe('over')
})

test(
  'the pool is funded, and payouts that a backup forgot are settled',
  { tag: '@once' },
  async ({ page, standIn }) => {
    await openConsole(page, '/books')
    await openAct(page, 'Fund the reward pool')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Amount in $COTTON' }).fill('20000')
    await giveReason(page, 'Sponsor')
    expect(await signAct(page)).toContain('Amount: 20,000 $COTTON')
    await closeWith(page, 'Executed: fund.')
    await openAct(page, 'Take them back')
    await giveReason(page, 'Restored from a backup')
    expect(await signAct(page)).toContain('Act: take back 1 payouts')
    await closeWith(page, 'Executed: take-back.')
    await openAct(page, 'Acknowledge')
    await page.getByRole('dialog').getByRole('combobox').selectOption('The pool covers it')
    await giveReason(page, 'Restored from a backup')
    expect(await signAct(page)).toContain('cover its debt from the pool')
    await closeWith(page, 'Executed: acknowledge.')
    await openPage(page, 'Log')
    await expect(page.getByRole('cell', { name: 'Acknowledge a payout' })).toBeVisible()
    expect(standIn.world.acts).toHaveLength(3)
  },
)

test('an approval needs no pointer', { tag: '@once' }, async ({ page, standIn }) => {
  const press = (key: string): Promise<void> => page.keyboard.press(key)
  const tabTo = async (name: string | RegExp): Promise<void> => {
    const target = page.getByRole('button', { name }).or(page.getByRole('link', { name }))
    for (let tabs = 0; tabs < 60; tabs += 1) {
      if (
        (await page.locator(':focus').count()) > 0 &&
        (await target.and(page.locator(':focus')).count()) > 0
      )
        return
      await press('Tab')
    }
    throw new Error(`${name} was not reached by Tab.`)
  }
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Use the test wallet of this browser' })).toBeVisible()
  await tabTo('Use the test wallet of this browser')
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await tabTo(/^Withdrawals/)
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Withdrawals' })).toBeFocused()
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await tabTo(/2,500\.5 \$COTTON to/)
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Withdrawal of 2,500.5 $COTTON' })).toBeFocused()
  await tabTo('Approve')
  await press('Enter')
  await tabTo('Show the message')
  await press('Enter')
  await expect(page.getByRole('button', { name: 'Sign with the wallet' })).toBeEnabled()
  await tabTo('Sign with the wallet')
  await press('Enter')
  await expect(page.getByRole('dialog').getByText('Approved. The signer pays it.')).toBeVisible()
  await press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeFocused()
  expect(standIn.world.withdrawals[1]!.state).toBe('approved')
})

test.describe('an operator who can only read', () => {
  test.use({ operators: [{ ...OPERATORS[0]!, rights: ['view'] }] })
  test('sees which right is missing, and no dialog', { tag: '@once' }, async ({ page, standIn }) => {
    await openConsole(page, `/withdrawals/${standIn.world.withdrawals[0]!.id}`)
    const approve = page.getByRole('button', {
      name: /^Approve.*Your wallet does not have the right “decide”/,
    })
    await expect(approve).toHaveAttribute('aria-disabled', 'true')
    await approve.click({ force: true })
    await expect(page.getByRole('dialog')).toBeHidden()
    await openPage(page, 'World')
    await expect(page.getByRole('button', { name: /right “settings”/ }).first()).toBeVisible()
  })
})
