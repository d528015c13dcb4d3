import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { removeExpired } from '#server/cleanup/remove-expired.ts'
import type { Address } from '#server/chain/port.ts'
import { checkDeposit } from '#server/deposits/check-deposit.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import { readWatchedWallets } from '#server/deposits/find-mismatches.ts'
import { findUnrecorded } from '#server/deposits/foreign-tokens.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { UnexplainedBalances } from '#server/deposits/unexplained-balances.ts'
import { compareAllBalances } from '#server/deposits/watch-balances.ts'
import { newWatchProgress, watchRound } from '#server/deposits/watch-deposits.ts'
import { newForeignProgress, scanForeignAccounts } from '#server/deposits/watch-foreign-accounts.ts'
import { freezeWallet, unfreezeWallet } from '#server/freeze/freeze-wallet.ts'
import { readMoney } from '#server/monitoring/read-money.ts'
import { createHoursRound } from '#server/monitoring/record-hours.ts'
import { readSentAlerts, sendAlerts } from '#server/monitoring/send-alerts.ts'
import { createPayoutTraceRound } from '#server/monitoring/trace-payouts.ts'
import type { Db, Queryable, Sql } from '#server/platform/db/db.ts'
import { findUnowedPayouts } from '#server/signer/acts/find-unowed-payouts.ts'
import { resolveRecipient } from '#server/signer/payouts/recipient.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import { recordCreditSupply } from '#server/solvency/record-credit-supply.ts'
import { watchSolvency } from '#server/solvency/watch-solvency.ts'
import { cancelWithdrawals } from '#server/withdrawals/cancel-withdrawal.ts'
import { explainWaiting } from '#server/withdrawals/open-withdrawals.ts'
import { readWalletsWithoutDeposit } from '#server/withdrawals/read-wallets-without-deposit.ts'
import { createPlayerWith, runUntilSettled, withdraw } from '#tests/support/chain-test-players.ts'
import {
  type ChainTestWorld,
  openChainTestWorld,
  runQuery,
  type TestWallet,
  waitUntil,
} from '#tests/support/chain-test-world.ts'
import { costOf, explainStatement, type SentStatement } from '#tests/support/explain-statement.ts'
import { growRounds } from '#tests/support/grow-rounds.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { keyFor } from '#tests/support/test-world.ts'

// `npm test` has fewer, because building the tables takes most of the time.
const ROWS = process.env.TEST_VARIANTS === 'no' ? 20_000 : 50_000

/** The sweeps look up the accounts of the newest five hundred deposits. All other statements read far less. */
const MAX_BLOCKS = 1_000
const MAX_READ = ROWS / 10
const MAX_DISCARDED = 500

/** Every statement that the imported modules declare. */
const declared = vi.hoisted(() => new Map<string, Sql>())

vi.mock('#server/platform/db/sql.ts', async (load) => {
  const { recordDeclared } = await import('#tests/support/record-declared.ts')
  return recordDeclared(await load(), declared)
})

type Role = 'api' | 'watcher' | 'signer'

let world: ChainTestWorld
let player: TestWallet
const sent = new Map<string, { role: Role; statement: SentStatement }[]>()

/** A few executions of a statement show what it reads. */
const EXECUTIONS = 3

function recordStatements(role: Role): Db {
  const db = world[role]
  const recorded = (on: Queryable) =>
    interceptStatements(on, (statement, run) => {
      const known = sent.get(statement.name) ?? []
      if (known.length < EXECUTIONS) sent.set(statement.name, [...known, { role, statement }])
      return run()
    })
  return { ...db, rows: recorded(db).rows, transaction: (work) => db.transaction((tx) => work(recorded(tx))) }
}

beforeAll(async () => {
  world = await openChainTestWorld({ signer: 'first' })
  await world.newSigner()
  player = await createPlayerWith(world, { deposited: 20, earned: 100 })
  await growRounds(world.ownerUrl, { wallet: player.address, rows: ROWS })
  await playSigner()
  await playWatcher()
}, 300_000)

afterAll(() => world.close())

/** Requests, pays, cancels and refunds withdrawals, freezes their wallet, sweeps, and compares the chain with the books. */
async function playSigner(): Promise<void> {
  const { owner, clock } = world
  const { address: wallet } = player
  const db = recordStatements('signer')
  const api = recordStatements('api')
  // The addresses of other players have no keys.
  const openSigner = async () => ({ ...(await world.newSigner()), db, sweepCursor: { from: ROWS + 1 } })
  await withdraw({ api, clock }, player, cotton(5))
  await withdraw({ api, clock }, player, cotton(20))
  const signer = await openSigner()
  await runUntilSettled(world, signer, [player])
  const { id } = await withdraw({ api, clock }, player, cotton(1))
  await api.transaction((tx) =>
    cancelWithdrawals(tx, [{ wallet, withdrawalId: id, key: keyFor('/cancel', 'once', {}) }], clock),
  )
  await runUntilSettled(world, await openSigner(), [player])
  await owner.transaction((tx) =>
    freezeWallet(tx, { wallet, reason: 'Test.', who: 'a test', now: clock.now() }),
  )
  await createSigningRound(signer)()
  await owner.transaction((tx) => unfreezeWallet(tx, { wallet }))
  await createSigningRound(signer)()
  await resolveRecipient({ db, clock }, { wallet, account: null }, new Set())
  await explainWaiting(db, 'account_closed')
  // As acts do that handle payouts which a restored backup has forgotten.
  await findUnowedPayouts({ db }, { chain: world.chain, treasury: signer.treasury.address })
  await readWatchedWallets(db, [wallet])
}

/** Watches deposits, reserve and foreign tokens, and reads what metrics and alerts show. */
async function playWatcher(): Promise<void> {
  const { chain, clock, log } = world
  const { address: wallet } = player
  const db = recordStatements('watcher')
  const stopping = new AbortController().signal
  const address = (await takeDepositAddress(world.api, { wallet, now: clock.now() }))!
  const arrival = await world.transfer(player, address.owner, cotton(1))
  await creditDeposits({ db, chain, clock }, address)
  await world.waitUntilFinal(arrival)
  await creditDeposits({ db, chain, clock }, address)
  // The addresses of other players do not exist on the chain.
  const progress = { ...newWatchProgress(), rotationAfter: ROWS + 1, comparedTo: ROWS + 1 }
  await watchRound({ db, chain, clock, log }, { progress, stopping })
  await compareAllBalances({ db, chain }, { progress, stopping })
  const foreign = { ...newForeignProgress(), after: ROWS + 1 }
  const tokenAccounts = async (of: readonly Address[]) => of.map(() => null)
  await scanForeignAccounts({ db, chain: { ...chain, tokenAccounts }, clock, log }, foreign)
  const ownedAccounts = async () => [{ address: 'account' as Address, amount: 1n, mint: 'mint' as Address }]
  await findUnrecorded(
    { db, chain: { ...chain, ownedAccounts } as typeof chain, clock },
    { ...address, assignedSlot: null },
    { round: 1, unexplained: new UnexplainedBalances() },
  )
  await waitUntil(async () => (await watchSolvency({ db, chain, clock, log })) !== null)
  await recordCreditSupply({ db, clock })
  await createHoursRound({ db, clock })()
  await readMoney(db, clock.now())
  await sendAlerts({ db, clock, repeatMs: 1, post: async () => undefined })
  await readSentAlerts(db)
  await createPayoutTraceRound({ db, clock, tracing: { start: () => expect.unreachable() } as never })()
  const api = recordStatements('api')
  await removeExpired({ db: api, clock, log }, { stopping })
  await checkDeposit({ db: api, chain, clock }, wallet)
  // A wallet needs a deposit only where tokens have a value.
  await runQuery(
    world.owner,
    `update settings set value = value || '{"cluster": "mainnet"}' where name = 'chain'`,
  )
  await readWalletsWithoutDeposit(api, [wallet])
}

const READS_MORE = new Set([
  // Once a day, at its beginning: then few withdrawals are of that day.
  'bounds-sum-held',
  // Sums what others have sent to one account: each transfer costs its sender a fee.
  'foreign-read-known',
  // The player has half of all receipts here, so Postgres expects many untold ones and reads the newest deposits of everybody.
  // With a twelfth of 1.2 million receipts it touched three blocks.
  'deposits-mark-reported',
])

/** Executed again, some writes violate a key or a rule of the ledger. These insert rows, and search none. */
const REFUSED = /^(23|P0001)/

/** Statements that are not executed here, or only if the chain is fast or slow enough. */
const NOT_PLAYED: Record<string, readonly string[]> = {
  'a role starts, or renews its term': [
    'chain-write-bound',
    'db-is-standby',
    'fund-mark',
    'fund-read',
    'terms-insert',
    'terms-lock',
    'terms-read',
    'terms-renew',
    'terms-take-over',
    'tx-begin',
    'tx-commit',
    'tx-rollback',
  ],
  'an operator has signed an act, or asks for a list': [
    'acts-explain-wait',
    'acts-finish',
    'acts-insert',
    'acts-lock-waiting',
    'acts-read-approvals',
    'acts-read-last-number',
    'acts-read-outcome',
    'acts-read-signature',
    'acts-read-uncredited-sweeps',
    'freeze-freeze',
    'freeze-read-all',
    'freeze-unfreeze',
    'funding-record',
    'limit-read-adjustments',
    'market-read-early',
    'market-write-early',
    'operator-knows-wallet',
    'operator-lock',
    'operator-read-wallet',
    'operator-write-log',
    'restored-acknowledge',
    'restored-insert-taken',
    'withdrawals-lock-paused',
    'withdrawals-pause',
    'withdrawals-resume',
  ],
  'a player asks what is left of the budget, or anybody for the reserve': [
    'credit-supply-read-day-ago',
    'reward-read-day',
    'reward-read-pool',
  ],
  'one node lags behind another': ['solvency-read-ahead'],
  'it finds rows by a unique key, or reads a table of a few rows': [
    'addresses-add',
    'alerts-insert',
    'alerts-mark-sent',
    'alerts-remove',
    'deposits-drop',
    'deposits-insert-pending',
    'deposits-insert-unclaimed',
    'foreign-find-recorded',
    'payouts-insert-replacement',
    'reconcile-insert-found',
    'reconcile-insert-reported',
    'reconcile-read-signed-for-other',
    'reserve-read-last-snapshot',
    'signer-postpone',
    'signer-write-checked-balances',
    'sweeps-close',
    'sweeps-insert-missed',
    'sweeps-read-recorded',
    'watch-retire',
  ],
}

async function findingsOf(db: Db, statement: SentStatement): Promise<string[]> {
  const rollback = new Error('roll back')
  const findings: string[] = []
  const attempt = db.transaction(async (tx) => {
    const { blocks, read, discarded } = costOf(await explainStatement(tx, statement))
    if (blocks > MAX_BLOCKS) findings.push(`${statement.name} touches ${blocks} blocks`)
    if (read > MAX_READ) findings.push(`${statement.name} reads ${read} rows`)
    if (discarded > MAX_DISCARDED) findings.push(`${statement.name} reads and discards ${discarded} rows`)
    throw rollback
  })
  await attempt.catch((error: unknown) => {
    if (error !== rollback && !REFUSED.test((error as { code?: string }).code ?? '')) throw error
  })
  return findings
}

test('no statement of a round reads more when history grows', async () => {
  const findings: string[] = []
  for (const [name, executions] of sent) {
    if (READS_MORE.has(name)) continue
    for (const { role, statement } of executions) findings.push(...(await findingsOf(world[role], statement)))
  }
  expect(findings).toEqual([])
})

test('every statement of watcher, signer and cleanup is measured, or has a reason not to be', async () => {
  declared.clear()
  vi.resetModules()
  await Promise.all([
    import('#server/signer/start-signer.ts'),
    import('#server/deposits/watch-deposits.ts'),
    import('#server/deposits/watch-foreign-accounts.ts'),
    import('#server/solvency/watch-solvency.ts'),
    import('#server/monitoring/start-monitoring.ts'),
    import('#server/cleanup/remove-expired.ts'),
    import('#server/platform/role-term.ts'),
  ])
  const exceptions = Object.values(NOT_PLAYED).flat()
  expect(exceptions.filter((name) => !declared.has(name))).toEqual([])
  const unmeasured = [...declared.keys()].filter((name) => !sent.has(name) && !exceptions.includes(name))
  expect(unmeasured, 'play it above, or add it to NOT_PLAYED with a reason').toEqual([])
})
