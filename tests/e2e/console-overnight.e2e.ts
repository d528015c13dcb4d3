import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { watchOperators } from '#server/operators/read-operators.ts'
import type { Clock } from '#server/platform/clock.ts'
import { readPasswords, withLogin } from '#server/platform/db/roles.ts'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import { openConsole as openRole } from '#tests/support/operators-console.ts'
import { pino } from 'pino'
import { VARIANT } from './browser-test.ts'
import { createPlayer, type OpenGame, operatorNamed, requestWithdrawal, runText } from './console-game.ts'
import { closeWith, expect, logIn, openAct, test } from './console-test.ts'
import { installPhantom } from './fake-phantom.ts'

const PAGES = join(import.meta.dirname, '../../.build/console')
const NIGHT_MS = 25 * 3_600_000

/** A console of that game whose clock the test sets. */
async function startRole({ dataDir, gameUrl }: OpenGame, clock: Clock) {
  const passwords = readPasswords({ env: {}, secretsDir: join(dataDir, 'secrets') })
  const url = findRunningPostgres(dataDir)!
  const role = await openRole(
    { clock, urlFor: (name) => withLogin(url, { name, password: passwords[name as 'console'] }) },
    {
      pages: PAGES,
      publicUrl: gameUrl,
      operators: watchOperators(join(dataDir, 'operators.json'), pino({ level: 'silent' })),
    },
  )
  await role.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = role.app.server.address() as { port: number }
  return { url: `http://localhost:${port}`, close: () => role.close() }
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test(
  'a page that was left open overnight needs a new login and a new signature, for one effect',
  VARIANT,
  async ({ game, browser, complaints }) => {
    test.slow()
    const player = await createPlayer(game, 4_444)
    const id = await requestWithdrawal(game, player, 4_444)
    const evening = new Date(Date.now() - NIGHT_MS)
    let behindMs = NIGHT_MS
    const role = await startRole(game, { now: () => new Date(Date.now() - behindMs) })
    const page = await browser.newPage({ baseURL: role.url, locale: 'en-GB', timezoneId: 'UTC' })
    page.on('pageerror', (error) => complaints.push(String(error)))
    let confirmed = Promise.resolve()
    await installPhantom(page, { accounts: [operatorNamed('Ana')], confirm: () => confirmed })
    await page.clock.install({ time: evening })
    const submitted: string[] = []
    await page.route('**/acts/submit', (route) => {
      submitted.push(route.request().postData()!)
      return route.continue()
    })
    const acts = async () =>
      (
        await runText<{ state: string }>(
          game.db,
          'select state from operator_acts where withdrawal_id = $1',
          id,
        )
      ).map(({ state }) => state)

    await test.step('the wallet still asks in the morning, and what it signs then is not done', async () => {
      await page.goto(`/withdrawals/${id}`)
      await logIn(page)
      // The logins of other stories remove sessions that began as long ago.
      await runText(
        game.db,
        `create rule overnight as on delete to console_sessions where old.seen_at < now() - interval '1 hour' do instead nothing`,
      )
      const dialog = await openAct(page, 'Approve')
      await dialog.getByRole('button', { name: 'Show the message' }).click()
      const asked = Promise.withResolvers<void>()
      confirmed = asked.promise
      await dialog.getByRole('button', { name: 'Sign with the wallet' }).click()
      await expect(dialog.getByRole('button', { name: 'Confirm in your wallet' })).toBeVisible()
      // The machine slept: no timer of the page has run.
      behindMs = 0
      await page.clock.setSystemTime(new Date())
      asked.resolve()
      await expect(heading(page, 'Log in')).toBeVisible()
      await expect(page.getByText(/^(Your session has ended|Nobody used this page)/)).toBeVisible()
      await runText(game.db, 'drop rule overnight on console_sessions')
      expect(await acts()).toEqual([])
    })

    await test.step('yesterday’s signature is refused with a reason', async () => {
      const [yesterday] = submitted
      expect(yesterday).toBeDefined()
      await logIn(page)
      await expect(heading(page, /^Withdrawal of 4,444/)).toBeVisible()
      await page.unroute('**/acts/submit')
      await page.route('**/acts/submit', (route) => route.continue({ postData: yesterday! }))
      const dialog = await openAct(page, 'Approve')
      await dialog.getByRole('button', { name: 'Show the message' }).click()
      await dialog.getByRole('button', { name: 'Sign with the wallet' }).click()
      await closeWith(page, /It expired at .* Sign it again\./)
      expect(await acts()).toEqual([])
      await page.unroute('**/acts/submit')
    })

    let todays = ''
    await test.step('today’s is done once', async () => {
      await page.route('**/acts/submit', (route) => {
        todays = route.request().postData()!
        return route.continue()
      })
      const dialog = await openAct(page, 'Approve')
      await dialog.getByRole('button', { name: 'Show the message' }).click()
      await dialog.getByRole('button', { name: 'Sign with the wallet' }).click()
      await closeWith(page, /^Approved/)
      expect(await acts()).toEqual(['done'])
    })

    await test.step('a signature is used for nothing else', async () => {
      const other = await requestWithdrawal(game, await createPlayer(game, 333), 333)
      await page.goto(`/withdrawals/${other}`)
      await page.unroute('**/acts/submit')
      await page.route('**/acts/submit', (route) => {
        const { act } = JSON.parse(route.request().postData()!) as { act: object }
        return route.continue({ postData: JSON.stringify({ ...JSON.parse(todays), act }) })
      })
      const dialog = await openAct(page, 'Approve')
      await dialog.getByRole('button', { name: 'Show the message' }).click()
      await dialog.getByRole('button', { name: 'Sign with the wallet' }).click()
      await closeWith(page, /The signed message is not the one of this act/)
      const none = await runText(game.db, 'select from operator_acts where withdrawal_id = $1', other)
      expect(none).toEqual([])
    })
    await page.context().close()
    await role.close()
  },
)
