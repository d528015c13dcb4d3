import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { getBase58Decoder } from '@solana/kit'
import { findFreePort } from '#server/processes/ports.ts'
import { killServer, makeDataDir, type RunningServer, runServer } from '#tests/support/run-server.ts'
import { DESKTOP_ONLY, expect, test } from './browser-test.ts'
import { openConsole, openPage, signAct } from './console-test.ts'
import { createFundedPlayer, type Player } from './funded-player.ts'

/** The key of a local test wallet, as a browser stores it. */
type OperatorKey = { name: string; wallet: string; stored: string }

function createOperator(name: string): OperatorKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  return {
    name,
    wallet: getBase58Decoder().decode(raw),
    stored: JSON.stringify({ pkcs8, publicKey: raw.toString('base64') }),
  }
}

let game: RunningServer | undefined
let gameUrl: string
let consoleUrl: string
let folder: ReturnType<typeof makeDataDir>
const operator = createOperator('Ana')

test.beforeAll(async () => {
  folder = makeDataDir()
  const rights = ['view', 'decide', 'adjust', 'settings']
  const named = [{ name: operator.name, wallet: operator.wallet, rights }]
  const file = join(folder.dataDir, 'operators.json')
  writeFileSync(file, JSON.stringify({ operators: named, secondAbove: '100000' }), { mode: 0o644 })
  // The chain uses the port after its own as well.
  const port = await findFreePort(4)
  const ports = { PORT: String(port), CONSOLE_PORT: String(port + 1), CHAIN_RPC_PORT: String(port + 2) }
  game = runServer({ dataDir: folder.dataDir, env: { ...ports, OPERATORS_FILE: file } })
  gameUrl = await game.ready
  consoleUrl = `http://localhost:${port + 1}`
})

test.afterAll(async () => {
  await killServer(game)
  folder.remove()
})

async function openAs(browser: Browser, { stored }: OperatorKey, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: consoleUrl, locale: 'en-GB', timezoneId: 'UTC' })
  await context.addInitScript((key) => localStorage.setItem('cotton-farm:local-test-wallet', key), stored)
  const page = await context.newPage()
  await openConsole(page, path)
  return page
}

async function requestWithdrawal(player: Player, amount: number): Promise<void> {
  const { body } = await player.call('POST', '/api/users/withdrawals/challenge', { amount })
  const message = body.message!
  const signed = { amount, message, signature: player.sign(message) }
  const { status, body: answer } = await player.call('POST', '/api/users/withdrawals', signed)
  expect(status, JSON.stringify(answer)).toBe(200)
}

const act = async (page: Page, name: string, reason?: string): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).click()
  if (reason) await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill(reason)
}

test(
  'what an operator signs in the pages is executed by the signer of a real game',
  DESKTOP_ONLY,
  async ({ browser }) => {
    test.setTimeout(240_000)
    const player = await createFundedPlayer(150_000, gameUrl)
    await requestWithdrawal(player, 120_000)
    const page = await openAs(browser, operator, '/withdrawals')

    // The local chain pays without a review, so the decisions are shown with the stand-in only (console-acts.e2e.ts).
    await test.step('a payout appears by itself', async () => {
      await page.getByRole('combobox', { name: 'State' }).selectOption('Paid')
      await expect(page.getByRole('link', { name: /120,000 \$COTTON to/ })).toBeVisible({ timeout: 60_000 })
    })

    await test.step('withdrawals are paused and resumed', async () => {
      await openPage(page, 'Today')
      await act(page, 'Pause withdrawals', 'A check of the reserve')
      await page.getByRole('dialog').getByRole('button', { name: 'Pause now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await act(page, 'Resume withdrawals', 'The reserve is fine')
      await signAct(page)
      await expect(page.getByRole('dialog').getByText('Done', { exact: true })).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await expect(page.getByRole('button', { name: 'Pause withdrawals' })).toBeVisible()
    })

    await test.step('a frozen player can move no value', async () => {
      await page.goto(`/players/${player.address}`)
      await act(page, 'Freeze', 'Under investigation')
      await page.getByRole('dialog').getByRole('button', { name: 'Freeze now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await expect(page.getByText('Frozen by Ana: Under investigation')).toBeVisible()
      const hire = { workerType: 'kid' }
      expect((await player.call('POST', '/api/workers/purchase', hire)).status).not.toBe(200)
      await act(page, 'Unfreeze', 'Cleared')
      await signAct(page)
      await expect(page.getByRole('dialog').getByText('Done', { exact: true })).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
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
    await page.context().close()
  },
)
