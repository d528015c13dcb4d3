import { parseArgs } from 'node:util'
import { cotton } from '#game/cotton.ts'
import { depositEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import { systemClock as clock } from '#server/platform/clock.ts'
import { openDb } from '#server/platform/db/db.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { call, logIn, serveApp, signLogin } from '#tests/support/serve-app.ts'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { testPlayer, type TestPlayer } from '#tests/support/test-player.ts'
import { chanceToBeSlower } from './rank-test.ts'

// Compares how long refused logins take for wallets that play and for new ones, in turns. Not part of `npm test`: a machine
// that does other things can make any two times differ. The statements are compared by server/account/known-wallets.test.ts.
const { values } = parseArgs({ options: { pairs: { type: 'string' }, leak: { type: 'boolean' } } })
const pairs = Number(values.pairs ?? 3_000)
if (!(pairs >= 100)) throw new Error('--pairs N: at least 100')

/** Four standard deviations of the statistic where nothing differs: once in 16,000 runs. */
const ALLOWED = 4 * Math.sqrt(1 / (6 * pairs))

const postgres = await startTestPostgres()
try {
  const database = await freshDatabase()
  const db = openDb(database.url, { max: 5, applicationName: 'login-times' })
  const app = await serveApp({ db, directUrl: database.directUrl, clock }, { limited: false })
  const known = testPlayer()
  for (let each = 0; each < 3; each++) await logIn(app, known)
  await db.transaction(async (tx) => {
    const { wallet } = known
    const ledger = await openLedger(tx, [wallet])
    const entries = depositEntries(wallet, cotton(200_000))
    ledger.post({ wallet, at: clock.now(), kind: 'adjustment', detail: { reason: 'test' }, entries })
    ledger.write()
  })

  /** Nanoseconds for one call with a wrong signature. `leak` adds what a lookup of the player would cost. */
  const measure = async (player: TestPlayer): Promise<number> => {
    const { body } = await call(app, 'POST', '/api/users/nonce', { body: { walletAddress: player.wallet } })
    const forged = signLogin({ ...player, sign: testPlayer().sign }, String(body.message))
    const start = process.hrtime.bigint()
    await call(app, 'POST', '/api/users/verify-wallet', { body: forged })
    if (values.leak && player === known) await readBalance(db, player.wallet)
    return Number(process.hrtime.bigint() - start)
  }

  const times = { known: [] as number[], unknown: [] as number[] }
  for (let each = 0; each < 200; each++) await measure(testPlayer())
  for (let each = 0; each < pairs; each++) {
    // The order alternates, so that what follows something else is neither always.
    const measureKnown = async () => times.known.push(await measure(known))
    const measureNew = async () => times.unknown.push(await measure(testPlayer()))
    if (each % 2 === 0) await measureKnown()
    await measureNew()
    if (each % 2 === 1) await measureKnown()
  }
  const chance = chanceToBeSlower(times.known, times.unknown)
  const medianUs = (of: number[]) => Math.round(of.toSorted((a, b) => a - b)[of.length >> 1]! / 1_000)
  const differs = Math.abs(chance - 0.5) > ALLOWED
  process.stdout.write(
    `${pairs} pairs of refused logins: median ${medianUs(times.known)} µs for a wallet that plays, ` +
      `${medianUs(times.unknown)} µs for a new one.\n` +
      `The first is slower with a probability of ${chance.toFixed(4)} (0.5 means no difference; allowed: ±${ALLOWED.toFixed(4)}).\n` +
      `${differs ? 'FAILED: the times differ.' : 'ok: the times do not differ.'}\n`,
  )
  process.exitCode = differs ? 1 : 0
  await app.close()
  await db.end()
} finally {
  await postgres.stop()
}
