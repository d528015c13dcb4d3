import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { cotton } from '#game/cotton.ts'
import { askLocalFaucet } from '#server/chain/ask-local-chain.ts'
import type { Address } from '#server/chain/port.ts'
import { readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { openDb } from '#server/platform/db/db.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import { killServer, makeDataDir, type RunningServer, runServer, waitFor } from '#tests/support/run-server.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { DESKTOP_ONLY, expect, test } from './browser-test.ts'
import { factOf, openPage, signAct } from './console-test.ts'
import { installPhantom } from './fake-phantom.ts'
import { createFundedPlayer, type Player } from './funded-player.ts'

const SOL = 1_000_000_000n
const START_MS = 120_000

let game: RunningServer | undefined
let gameUrl: string
let consoleUrl: string
let chainUrl: string
let folder: ReturnType<typeof makeDataDir>

// On this cluster the strict rules hold: withdrawals wait for an operator, and nobody gets test tokens in the game.
test.beforeAll(async () => {
  test.setTimeout(START_MS)
  folder = makeDataDir()
  // The console starts only if somebody is an operator.
  nameOperators({ Zoe: testPlayer().wallet })
  // The chain uses the port after its own as well.
  const port = await findFreePort(4)
  const ports = { PORT: String(port), CONSOLE_PORT: String(port + 1), CHAIN_RPC_PORT: String(port + 2) }
  game = runServer({ dataDir: folder.dataDir, env: { ...ports, CLUSTER: 'devnet' } })
  gameUrl = await game.ready
  consoleUrl = `http://localhost:${port + 1}`
  chainUrl = `http://127.0.0.1:${port + 2}`
  await fund(await waitFor('the treasury', readTreasury), { tokens: 1_000_000, lamports: 10n * SOL })
})

test.afterAll(async () => {
  await killServer(game)
  folder.remove()
})

function nameOperators(wallets: Record<string, string>): void {
  const rights = ['decide', 'adjust', 'settings']
  const operators = Object.entries(wallets).map(([name, wallet]) => ({ name, wallet, rights }))
  const file = join(folder.dataDir, 'operators.json')
  writeFileSync(file, JSON.stringify({ operators, secondAbove: '100000' }), { mode: 0o644 })
}

async function readTreasury(): Promise<string | undefined> {
  const db = openDb(findRunningPostgres(folder.dataDir)!, { max: 1, applicationName: 'test' })
  try {
    return (await readBoundChain(db))?.treasury
  } finally {
    await db.end()
  }
}

const fund = (owner: string, { tokens, lamports = 0n }: { tokens: number; lamports?: bigint }) =>
  askLocalFaucet(chainUrl, { owner: owner as Address, baseUnits: cotton(tokens), lamports })

/** A player with deposited credit, sent to the deposit address from outside the game. */
async function createDepositor(amount: number): Promise<Player> {
  const player = await createFundedPlayer(0, gameUrl)
  const { body } = await player.call('GET', '/api/users/deposit-address')
  await fund((body as { depositWallet: string }).depositWallet, { tokens: amount })
  await waitFor('the deposit', async () => {
    const { body: found } = await player.call('GET', `/api/users/wallet/${player.address}`)
    return found.creditBalance === amount
  })
  return player
}

/** The console in a browser of its own, with a wallet that nobody has named yet. */
async function openBrowser(browser: Browser): Promise<{ page: Page; wallet: string }> {
  const context = await browser.newContext({ baseURL: consoleUrl, locale: 'en-GB', timezoneId: 'UTC' })
  const page = await context.newPage()
  const { addresses } = await installPhantom(page)
  return { page, wallet: addresses[0]! }
}

const logIn = (page: Page): Promise<void> => page.getByRole('button', { name: 'Phantom' }).click()

async function openAs(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await logIn(page)
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
}

async function requestWithdrawal(player: Player, amount: number): Promise<void> {
  const { body } = await player.call('POST', '/api/users/withdrawals/challenge', { amount })
  const message = body.message!
  const signed = { amount, message, signature: player.sign(message) }
  const { status, body: answer } = await player.call('POST', '/api/users/withdrawals', signed)
  expect(status, JSON.stringify(answer)).toBe(200)
}

/** Opens the dialog of an act, and gives the reason. */
const act = async (page: Page, name: string, reason?: string): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).click()
  if (reason) await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill(reason)
}

const closeDialog = (page: Page): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

const expectDone = async (page: Page, outcome?: RegExp): Promise<void> => {
  await expect(page.getByRole('dialog').getByText('Done', { exact: true })).toBeVisible()
  if (outcome) await expect(page.getByRole('dialog').getByText(outcome)).toBeVisible()
  await closeDialog(page)
}

test('what operators sign in the pages, and nothing else, is done', DESKTOP_ONLY, async ({ browser }) => {
  test.setTimeout(240_000)
  const [ana, ben] = [await openBrowser(browser), await openBrowser(browser)]
  const player = await createDepositor(150_000)
  await requestWithdrawal(player, 120_000)
  await requestWithdrawal(player, 500)

  await test.step('a wallet that the file does not name is refused, and let in once it does', async () => {
    await ana.page.goto('/withdrawals')
    await logIn(ana.page)
    await expect(ana.page.getByRole('alert')).toContainText('operators’ file')
    nameOperators({ Ana: ana.wallet, Ben: ben.wallet })
    await logIn(ana.page)
    await expect(ana.page.getByRole('button', { name: 'Log out' })).toBeVisible()
  })

  await test.step('two operators approve a large withdrawal, and the second sees who was first', async () => {
    await ana.page.getByRole('link', { name: /120,000 \$COTTON to/ }).click()
    await act(ana.page, 'Approve')
    const message = await signAct(ana.page)
    expect(message).toContain('Amount: 120,000 $COTTON')
    expect(message).toContain(`To: ${player.address}`)
    await expectDone(ana.page, /second operator must approve it too/)
    await openAs(ben.page, new URL(ana.page.url()).pathname)
    await expect(factOf(ben.page, 'Approvals')).toHaveText('1 of 2')
    await expect(ben.page.getByRole('region', { name: 'What is to be paid' })).toContainText('Ana')
    await act(ben.page, 'Approve')
    await signAct(ben.page)
    await expectDone(ben.page, /^Approved/)
    await expect(factOf(ana.page, 'State')).toHaveText('Paid', { timeout: 60_000 })
  })

  await test.step('a rejected withdrawal is back in the balance, and the player reads why', async () => {
    await openPage(ana.page, 'Withdrawals')
    await ana.page.getByRole('link', { name: /, 500 \$COTTON to/ }).click()
    await act(ana.page, 'Reject', 'Ask again with the other wallet')
    await signAct(ana.page)
    await expectDone(ana.page)
    const { body } = await player.call('GET', `/api/users/wallet/${player.address}`)
    expect(body.creditBalance).toBe(30_000)
    expect(JSON.stringify((await player.call('GET', '/api/users/withdrawals')).body)).toContain(
      'Ask again with the other wallet',
    )
  })

  const { page } = ana
  await test.step('withdrawals are paused and resumed', async () => {
    await openPage(page, 'Today')
    await act(page, 'Pause withdrawals', 'A check of the reserve')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause now' }).click()
    await closeDialog(page)
    await act(page, 'Resume withdrawals', 'The reserve is fine')
    await signAct(page)
    await expectDone(page)
    await expect(page.getByRole('button', { name: 'Pause withdrawals' })).toBeVisible()
  })

  await test.step('a frozen player can move no value', async () => {
    await page.goto(`/players/${player.address}`)
    await act(page, 'Freeze', 'Under investigation')
    await page.getByRole('dialog').getByRole('button', { name: 'Freeze now' }).click()
    await closeDialog(page)
    await expect(page.getByText('Frozen by Ana: Under investigation')).toBeVisible()
    const hire = { workerType: 'kid', walletAddress: player.address }
    expect((await player.call('POST', '/api/workers/purchase', hire)).body.code).toBe('wallet_frozen')
    await act(page, 'Unfreeze', 'Cleared')
    await signAct(page)
    await expectDone(page)
    await expect(page.getByText(/^Frozen by/)).toBeHidden()
  })

  await test.step('every page shows the game', async () => {
    await openPage(page, 'Ledger')
    await expect(page.getByRole('cell', { name: 'Withdrawal paid' }).first()).toBeVisible()
    await openPage(page, 'Log')
    await expect(page.getByRole('cell', { name: 'Unfreeze a wallet' })).toBeVisible()
    await openPage(page, 'Health')
    await expect(page.getByRole('rowheader', { name: 'signer' })).toBeVisible()
    await openPage(page, 'Books')
    await expect(page.getByText('Tokens on the chain').first()).toBeVisible()
    await openPage(page, 'World')
    await expect(page.getByRole('rowheader', { name: 'Antarctica' })).toBeVisible()
    await openPage(page, 'Deposits')
    await page.getByRole('combobox', { name: 'Which' }).selectOption('Credited')
    await expect(page.getByRole('cell', { name: '150,000 $COTTON' })).toBeVisible()
  })

  await test.step('an operator who is removed is out with the next call', async () => {
    nameOperators({ Ben: ben.wallet })
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Players' }).click()
    await expect(page.getByRole('button', { name: 'Phantom' })).toBeVisible({ timeout: 30_000 })
  })
  await Promise.all([ana, ben].map((each) => each.page.context().close()))
})
