import type { Page } from '@playwright/test'
import { ignoreOfflineErrors, VARIANT, DESKTOP_FIRST, VARIANT_ON_BOTH } from './browser-test.ts'
import {
  createPlayer,
  createWithdrawal,
  type OpenGame,
  runText,
  sendTokens,
  waitForState,
} from './console-game.ts'
import {
  closeWith,
  expect,
  factOf,
  openAct,
  openAs,
  openConsole,
  openPage,
  signAct,
  test,
} from './console-test.ts'
import { delayResponses } from './delay-responses.ts'
import type { Player } from './funded-player.ts'

const creditOf = async (player: Player): Promise<number | undefined> =>
  (await player.call('GET', `/api/users/wallet/${player.address}`)).body.creditBalance

/** What became of the signed acts on a withdrawal. */
const readActs = async ({ db }: OpenGame, id: string): Promise<string[]> => {
  const found = await runText<{ kind: string; state: string }>(
    db,
    'select kind, state from operator_acts where withdrawal_id = $1 order by at',
    id,
  )
  return found.map(({ kind, state }) => `${kind} ${state}`)
}

/** What the operator log says about something with this reason, the newest first. */
const readLog = ({ db }: OpenGame, reason: string) =>
  runText<{ who: string; command: string }>(
    db,
    'select who, command from operator_log where reason = $1 order by id desc',
    reason,
  )

/** Shows signed acts as waiting for this reason, until `show` is called. */
async function showAsWaiting(page: Page, outcome: string): Promise<{ show: () => void }> {
  let shown = false
  await page.route('**/api/console/act?**', async (route) => {
    if (shown) return route.fallback()
    const response = await route.fetch()
    const { act } = await response.json()
    await route.fulfill({ response, json: { act: { ...act, state: 'waiting', outcome, doneAt: null } } })
  })
  return { show: () => void (shown = true) }
}

test(
  'two operators approve a large withdrawal: the second sees who was first, and it is paid',
  DESKTOP_FIRST,
  async ({ page, game }) => {
    const { id, player, address } = await createWithdrawal(game, 120_000)
    await openConsole(page, address)
    const second = await openAs(page, 'Ben', address)

    const answers = await showAsWaiting(page, 'No Solana node answers')
    await openAct(page, 'Approve')
    const message = await signAct(page)
    await expect(page.getByRole('dialog')).toContainText('It waits: No Solana node answers')
    answers.show()
    expect(message).toContain(`Act: approve withdrawal ${id}`)
    expect(message).toContain('Amount: 120,000 $COTTON')
    expect(message).toContain(`To: ${player.address}`)
    await closeWith(page, /second operator must approve it too/)
    await expect(page.getByRole('button', { name: /^Approve/ })).toHaveAttribute('aria-disabled', 'true')

    await expect(factOf(second, 'Approvals')).toHaveText('1 of 2')
    await expect(second.getByRole('region', { name: 'What is to be paid' })).toContainText('Ana')
    await openAct(second, 'Approve')
    await signAct(second)
    await closeWith(second, /^Approved/)
    await second.context().close()
    await expect(factOf(page, 'State')).toHaveText('Paid', { timeout: 60_000 })
    expect(await readActs(game, id)).toEqual(['approve done', 'approve done'])
  },
)

test(
  'of two operators who decide at once one does, and the other reads why not',
  VARIANT,
  async ({ page, game }) => {
    const { id, player, address } = await createWithdrawal(game, 900)
    await openConsole(page, address)
    const other = await openAs(page, 'Ben', address)
    await openAct(page, 'Reject', 'Ask again with the other wallet')
    await openAct(other, 'Reject', 'Write to us first')
    for (const each of [page, other]) {
      const dialog = each.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Show the message' }).click()
      await expect(dialog.getByRole('button', { name: 'Sign with the wallet' })).toBeVisible()
    }
    const press = (each: Page) =>
      each.getByRole('dialog').getByRole('button', { name: 'Sign with the wallet' }).click()
    await Promise.all([press(page), press(other)])
    for (const each of [page, other]) await closeWith(each, /refunded|Refunded|not in review|Rejected/)
    expect((await readActs(game, id)).toSorted()).toEqual(['reject done', 'reject refused'])
    expect(await creditOf(player)).toBe(900)
    await other.context().close()
  },
)

test(
  'a decision about something that has changed is refused before it is signed',
  VARIANT,
  async ({ page, game }) => {
    const { id, player, address } = await createWithdrawal(game, 700)
    await openConsole(page, address)
    const dialog = await openAct(page, 'Approve')
    expect((await player.call('POST', '/api/users/withdrawals/cancel', { withdrawalId: id })).status).toBe(
      200,
    )
    await expect(dialog.getByText(/^This has changed while the window was open/)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Show the message' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  },
)

test('what a stale page signs is refused by the signer, in its words', VARIANT, async ({ page, game }) => {
  const { id, player, address } = await createWithdrawal(game, 650)
  await openConsole(page, address)
  const dialog = await openAct(page, 'Approve')
  await dialog.getByRole('button', { name: 'Show the message' }).click()
  await expect(dialog.getByRole('button', { name: 'Sign with the wallet' })).toBeVisible()
  // The page hears nothing of what happens now.
  await page.route('**/api/console/{live,withdrawal}**', (route) => route.abort())
  expect((await player.call('POST', '/api/users/withdrawals/cancel', { withdrawalId: id })).status).toBe(200)
  await waitForState(game.db, id, 'refunded')
  await dialog.getByRole('button', { name: 'Sign with the wallet' }).click()
  await expect(dialog.getByText('Refused', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(dialog).toContainText(/refunded|not in review/)
  expect(await readActs(game, id)).toEqual(['approve refused'])
})

test('a rejection needs a reason, which the player reads', VARIANT, async ({ page, game }) => {
  const { player, address } = await createWithdrawal(game, 500, 40)
  await openConsole(page, address)
  const dialog = await openAct(page, 'Reject')
  await dialog.getByRole('button', { name: 'Show the message' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Write a reason.')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('  Ask with the\nother wallet ')
  expect(await signAct(page)).toContain('Reason: Ask with the other wallet\n')
  await closeWith(page, 'Done')
  await expect(factOf(page, 'State')).toHaveText('Refunded')
  expect(await creditOf(player)).toBe(540)
  const { body } = await player.call('GET', '/api/users/withdrawals')
  expect(JSON.stringify(body)).toContain('Ask with the other wallet')
})

test('a double click on every button of an act gives one effect', VARIANT, async ({ page, game }) => {
  await openConsole(page, '/withdrawals')
  const delayed = await delayResponses(page, '**/api/console/pause')
  let dialog = await openAct(page, 'Pause withdrawals', 'Checking the reserve')
  await dialog.getByRole('button', { name: 'Pause now' }).dblclick()
  await expect.poll(() => delayed.callCount).toBe(1)
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  delayed.release()
  await closeWith(page, /^Withdrawals are paused/)
  await expect(page.getByText('Withdrawals are paused: Checking the reserve')).toBeVisible()
  expect(await readLog(game, 'Checking the reserve')).toEqual([{ who: 'Ana', command: 'pause' }])

  dialog = await openAct(page, 'Resume withdrawals', 'The reserve is fine')
  await dialog.getByRole('button', { name: 'Show the message' }).dblclick()
  await dialog.getByRole('button', { name: 'Sign with the wallet' }).dblclick()
  await closeWith(page, /^Withdrawals are resumed/)
  await expect(page.getByRole('button', { name: 'Pause withdrawals' })).toBeVisible()
  await expect(page.getByText(/^Withdrawals are paused/)).toBeHidden()
  expect(await readLog(game, 'The reserve is fine')).toEqual([{ who: 'Ana', command: 'resume' }])
})

test('what a wallet signs after its dialog was closed is not submitted', VARIANT, async ({ page, game }) => {
  const { id, address } = await createWithdrawal(game, 350)
  await page.goto(address)
  const answer = Promise.withResolvers<void>()
  let isSilent = false
  const other = await openAs(page, 'Ben', address, async () => {
    if (isSilent) await answer.promise
  })
  const dialog = await openAct(other, 'Approve')
  isSilent = true
  await signAct(other)
  await expect(dialog.getByRole('button', { name: 'Back' })).toHaveAttribute('aria-disabled', 'true')
  await other.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  isSilent = false
  answer.resolve()
  await openAct(other, 'Approve')
  await signAct(other)
  await closeWith(other, /^Approved/)
  await other.context().close()
  expect(await readActs(game, id)).toEqual(['approve done'])
})

test('a lost answer is checked before anything is signed again', VARIANT, async ({ page, game }) => {
  const { id, address } = await createWithdrawal(game, 450)
  await openConsole(page, address)
  await page.route('**/acts/submit', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const dialog = await openAct(page, 'Approve')
  await signAct(page)
  await expect(dialog.getByText(/^The answer was lost/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Check again' }).click()
  await closeWith(page, /^Approved/)
  expect(await readActs(game, id)).toEqual(['approve done'])
})

test('a player is frozen, logged out, adjusted and unfrozen', VARIANT_ON_BOTH, async ({ page, game }) => {
  const player = await createPlayer(game, 30_000)
  await openConsole(page, '/players')
  await page.getByLabel('Wallet, or the start of it').fill(player.address.slice(0, 12))
  await page.getByTitle(player.address).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Player/ })).toBeFocused()
  let dialog = await openAct(page, 'Freeze', 'Under investigation')
  await dialog.getByRole('button', { name: 'Freeze now' }).click()
  await closeWith(page, /is frozen/)
  await expect(page.getByText('Frozen by Ana: Under investigation')).toBeVisible()
  const hire = { workerType: 'kid', walletAddress: player.address }
  expect((await player.call('POST', '/api/workers/purchase', hire)).body.code).toBe('wallet_frozen')

  dialog = await openAct(page, 'End sessions', 'Stolen device')
  await dialog.getByRole('button', { name: 'End them now' }).click()
  await closeWith(page, 'One session is ended.')
  expect((await player.call('GET', '/api/users/sessions')).status).toBe(401)

  dialog = await openAct(page, 'Adjust balance', 'Credited twice')
  await dialog.getByRole('combobox', { name: 'Direction' }).selectOption('Take')
  await dialog.getByRole('button', { name: 'Show the message' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Write an amount above 0, like 1250.5, with at most 6 decimals.',
  )
  await dialog.getByRole('textbox', { name: 'Amount in $COTTON' }).fill('1,250.5')
  const message = await signAct(page)
  expect(message).toContain('Act: adjust deposited credit')
  expect(message).toContain('Amount: -1,250.5 $COTTON')
  await closeWith(page, /^Adjusted/)
  await expect(factOf(page.getByRole('region', { name: 'Balance by class' }), 'Deposited')).toHaveText(
    '28,749.5',
  )

  await openAct(page, 'Unfreeze', 'Cleared')
  expect(await signAct(page)).toMatch(/^Act: unfreeze a wallet after freeze [\da-f-]{36}$/m)
  await closeWith(page, /^Unfrozen/)
  await expect(page.getByText(/^Frozen by/)).toBeHidden()
})

test(
  'a market is opened and closed, and players read an announcement until it is ended',
  VARIANT,
  async ({ page, game, context }) => {
    await openConsole(page, '/world')
    const europe = page.getByRole('row', { name: /Europe/ })
    for (const [name, act, mark] of [
      ['Open the market', 'open', 'opened by an operator'],
      ['Close the market', 'close', 'closed'],
    ] as const) {
      await europe.getByRole('button', { name }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Event')
      expect(await signAct(page)).toContain(`Act: ${act} the market of Europe`)
      await closeWith(page, 'Done')
      await expect(europe).toContainText(mark)
    }

    let dialog = await openAct(page, 'New announcement')
    await dialog.getByRole('button', { name: 'Announce' }).click()
    await expect(dialog.getByText('Write what players read.')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'What players read' }).fill('An update comes at nine.')
    await dialog.getByRole('button', { name: 'Announce' }).click()
    await closeWith(page, 'The announcement is stored.')
    const players = await context.newPage()
    await players.goto(`${game.gameUrl}/transparency`)
    const card = players.getByRole('status').getByText('An update comes at nine.')
    await expect(card).toBeVisible()
    const row = page.getByRole('row', { name: /An update/ }).first()
    await row.getByRole('button', { name: 'End' }).click()
    dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('It is over')
    await dialog.getByRole('button', { name: 'End it now' }).click()
    await closeWith(page, 'The announcement is over.')
    await expect(row).toContainText('over')
    await expect(card).toBeHidden()
  },
)

test('an approval needs no pointer', VARIANT, async ({ page, game }) => {
  const { id } = await createWithdrawal(game, 2_222)
  const press = (key: string): Promise<void> => page.keyboard.press(key)
  const tabTo = async (name: string | RegExp): Promise<void> => {
    const target = page.getByRole('button', { name }).or(page.getByRole('link', { name }))
    for (let tabs = 0; tabs < 90; tabs += 1) {
      if ((await target.and(page.locator(':focus')).count()) > 0) return
      await press('Tab')
    }
    throw new Error(`${name} was not reached by Tab.`)
  }
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Phantom' })).toBeVisible()
  await tabTo('Phantom')
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await tabTo(/^Withdrawals/)
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Withdrawals' })).toBeFocused()
  await expect(page.getByRole('link', { name: /, 2,222 \$COTTON to/ })).toBeVisible()
  await tabTo(/, 2,222 \$COTTON to/)
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Withdrawal of 2,222 $COTTON' })).toBeFocused()
  await tabTo('Approve')
  await press('Enter')
  await tabTo('Show the message')
  await press('Enter')
  await expect(page.getByRole('button', { name: 'Sign with the wallet' })).toBeEnabled()
  await tabTo('Sign with the wallet')
  await press('Enter')
  await expect(page.getByRole('dialog').getByText(/^Approved/)).toBeVisible({ timeout: 30_000 })
  await press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeFocused()
  expect(await readActs(game, id)).toEqual(['approve done'])
})

test.describe('an operator who can only read', () => {
  test.use({ operator: 'Vera' })
  test('sees which right is missing, and no dialog', VARIANT, async ({ page, game }) => {
    const [row] = await runText<{ id: string }>(
      game.db,
      `select id::text from withdrawals where state = 'review' limit 1`,
    )
    await openConsole(page, `/withdrawals/${row!.id}`)
    const missing = (right: string) => `Your wallet does not have the right “${right}”.`
    const approve = page.getByRole('button', { name: 'Approve' })
    await expect(approve).toHaveAttribute('aria-disabled', 'true')
    // One line for both buttons.
    await expect(page.getByText(missing('decide'))).toBeVisible()
    for (const button of [approve, page.getByRole('button', { name: 'Reject' })])
      await expect(button).toHaveAccessibleDescription(missing('decide'))
    await approve.click({ force: true })
    await expect(page.getByRole('dialog')).toBeHidden()
    await openPage(page, 'World')
    const market = page.getByRole('row', { name: /South America/ }).getByRole('button')
    await expect(market).toHaveAccessibleDescription(missing('settings'))
    // One line for the announcements, and one for the markets.
    await expect(page.getByText(missing('settings')).filter({ visible: true })).toHaveCount(2)
  })
})

test(
  'without an answer the page says that it is out of date, and nothing can be decided',
  VARIANT,
  async ({ page, context, game, complaints }) => {
    const { address } = await createWithdrawal(game, 1_600)
    await page.clock.install()
    await openConsole(page, address)
    const dialog = await openAct(page, 'Approve')
    await context.setOffline(true)
    await page.clock.runFor(20_000)
    await expect(page.getByText('Not up to date')).toBeVisible()
    await expect(dialog.getByText(/^The console has not answered since/)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Show the message' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await context.setOffline(false)
    await page.clock.runFor(5_000)
    await expect(dialog.getByText(/^The console has not answered since/)).toBeHidden()
    ignoreOfflineErrors(complaints)
  },
)

test('tokens that arrive are listed as credited', VARIANT, async ({ page, game }) => {
  const player = await createPlayer(game, 0)
  const { body } = await player.call('GET', '/api/users/deposit-address')
  await openConsole(page, `/deposits?view=credited&wallet=${player.address}`)
  await sendTokens(game, {
    to: (body as unknown as { depositWallet: string }).depositWallet,
    tokens: 4_321,
  })
  await expect(page.getByRole('cell', { name: '4,321 $COTTON' })).toBeVisible({ timeout: 60_000 })
})
