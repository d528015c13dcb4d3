/** @module-tag variant */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, expect } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { addWithdrawal, storeSetting, storeTreasury } from '#tests/support/money-situations.ts'
import { startPrometheus, type TestPrometheus } from '#tests/support/prometheus.ts'
import {
  killServer,
  listProcessTree,
  makeDataDir,
  type RunningServer,
  runServer,
  waitFor,
} from '#tests/support/run-server.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { unpackDebianProgram } from './debian-program.ts'
import { readAlertRules, RULES_FILE } from './read-alert-rules.ts'

const program = unpackDebianProgram(['prometheus'], 'usr/bin/prometheus')
if (!program)
  process.stdout.write('apt-get cannot download the package prometheus, so the alerts are not drilled.\n')

const folder = makeDataDir()
let server: RunningServer | undefined
let prometheus: TestPrometheus | undefined

afterAll(async () => {
  await prometheus?.stop()
  await killServer(server)
  folder.remove()
})

const INTERVAL_MS = 500

/** `npm run test:alerts` fires every alert. Else those about money fire; the others take a minute. */
const IS_SHORT = process.env.ALERT_DRILL !== 'full'

/** The rules with short times: nobody waits for 36 hours. What they compare stays the same. */
const shortRules = () =>
  readFileSync(RULES_FILE, 'utf8')
    .replace(/for: \d+m/g, 'for: 0s')
    .replace(/\[\d+m\]/g, '[4s]')
    .replace(/(time\(\) - \w+\)?) > \d+/g, '$1 > 12')
    // Some work is done once a minute only.
    .replace('{round!="balances"} > 600', '{round="solvency"} > 12')
    .replace(/(_age_seconds\S* >) \d+/g, '$1 4')

const dashboards = join(import.meta.dirname, '../../deploy/grafana')
const dashboardQueries = readdirSync(dashboards).flatMap((name) => {
  const text = readFileSync(join(dashboards, name), 'utf8')
  return (JSON.parse(text) as { panels: { targets: { expr: string }[] }[] }).panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .map((expr) => expr.replaceAll('$__rate_interval', '4s'))
})

test.skipIf(!program)(
  'a Prometheus that scrapes the game fires the alerts, and answers every query of the dashboards',
  async ({ world }) => {
    const webhook = await openFailingWebhook()
    const port = await findFreePort(3)
    server = runServer({
      dataDir: folder.dataDir,
      env: {
        ...world.environment,
        RATE_LIMITS: 'off',
        METRICS_PORT: String(port),
        ALERT_WEBHOOK_URL: webhook.url,
      },
    })
    const url = await server.ready
    const visits = setInterval(() => void fetch(`${url}/healthz`).catch(() => undefined), 200)
    const targets = Object.fromEntries(
      ['api', 'watcher', 'local-chain'].map((role, at) => [role, `127.0.0.1:${port + at}`]),
    )
    prometheus = await startPrometheus(program!, { targets, rules: shortRules(), intervalMs: INTERVAL_MS })
    const { query } = prometheus
    await waitFor('all targets', async () => (await query('sum(up)'))[0]?.value[1] === '3')
    await waitForQuiet(world, prometheus)

    const fired = collectFiring(prometheus)
    const expectFiring = (names: string[]) =>
      waitFor(names.join(', '), () => names.every((name) => fired.has(name))).catch((error: unknown) => {
        throw new Error(`Fired so far: ${[...fired].join(', ')}`, { cause: error })
      })
    const processesOf = (role: string) =>
      listProcessTree(server!.pid).filter(({ command }) => command.trimEnd().endsWith(` ${role}`))
    const pidOf = (role: string) => processesOf(role)[0]!.pid
    const owner = new Client({ connectionString: world.url })
    await owner.connect()
    owner.on('error', () => undefined)

    const breakPlayersAndProcesses = async () => {
      await breakDatabase(owner, url)
      await expectFiring(DATABASE)
      await allowConnections(owner, true)
      process.kill(pidOf('local-chain'), 'SIGSTOP')
      await expectFiring(['ChainBehind', 'RoleDown', 'ReserveUnchecked', 'RoundsFailing'])
      await waitFor('NodeFailing', () => {
        // The supervisor restarts it.
        for (const { pid } of processesOf('local-chain')) process.kill(pid, 'SIGKILL')
        return fired.has('NodeFailing')
      })
      process.kill(pidOf('watcher'), 'SIGSTOP')
      await expectFiring(['MoneyUnmeasured'])
      expect([...fired].toSorted()).toEqual(
        readAlertRules()
          .map(({ name }) => name)
          .toSorted(),
      )
    }
    // The signer stands still, so nobody corrects what follows.
    process.kill(pidOf('signer'), 'SIGSTOP')
    await breakMoney(world, owner)
    await expectFiring(IS_SHORT ? MONEY.filter((name) => name !== 'WebhookFailing') : MONEY)
    // Nothing has failed and nobody plays yet.
    let empty = dashboardQueries.filter((expr) => !/5\.\.|failed|batch|bus_delay/.test(expr))
    // A rate over so few seconds is empty if a scrape was late.
    await waitFor('the dashboards', async () => {
      const answers = await Promise.all(empty.map(query))
      empty = empty.filter((_, at) => answers[at]!.length === 0)
      return empty.length === 0
    }).catch(() => expect(empty).toEqual([]))
    if (!IS_SHORT) await breakPlayersAndProcesses()
    clearInterval(visits)
    // The ledger is verified after the test, and no receipt explains this credit.
    await owner.query('delete from token_account_totals')
    await owner.end()
    webhook.close()
  },
  180_000,
)

/** Waits until no alert fires. A new game takes a while for that, and a backup is old after twelve seconds here. */
async function waitForQuiet(world: TestWorld, { firing }: TestPrometheus): Promise<void> {
  let names: string[] = []
  await waitFor('a game without alerts', async () => {
    await makeBackup(world)
    names = [...(await firing())]
    return names.length === 0
  }).catch((error: unknown) => {
    throw new Error(`Still firing: ${names.join(', ')}`, { cause: error })
  })
}

/** The names of the alerts that have fired so far. Some fire for a moment only. */
function collectFiring({ firing }: TestPrometheus): ReadonlySet<string> {
  const fired = new Set<string>()
  const collect = async (): Promise<void> => {
    for (;;) {
      for (const name of await firing()) fired.add(name)
      await sleep(INTERVAL_MS / 2)
    }
  }
  // It ends with Prometheus.
  collect().catch(() => undefined)
  return fired
}

/** What `ops backup` and `ops drill` store. */
async function makeBackup(world: TestWorld, at = new Date()): Promise<void> {
  await storeSetting(world, 'last_backup', { at: at.toISOString() })
  await storeSetting(world, 'last_drill', { at: at.toISOString(), ok: true })
}

const MONEY = [
  'BackupFailed',
  'BackupOld',
  'DepositAddressesLow',
  'DepositPending',
  'DepositUnread',
  'DrillOld',
  'SignerNotReady',
  'SignerSilent',
  'SweepStuck',
  'TokensMissing',
  'TreasuryLowOnSol',
  'TreasuryLowOnTokens',
  'WebhookFailing',
  'WithdrawalInReview',
  'WithdrawalStuck',
  'WithdrawalsPaused',
]

/** Everything about money that can go wrong, at once. */
async function breakMoney(world: TestWorld, owner: Client): Promise<void> {
  // Credit without tokens. The watcher finds it, and pauses withdrawals.
  const { wallet } = await world.player({ deposited: 1_000_000 })
  await addWithdrawal(world, 'review')
  await addWithdrawal(world, 'approved')
  await storeTreasury(world, ['tokens_low', 'sol_low'])
  await storeSetting(world, 'last_backup_failure', { at: new Date().toISOString() })
  await makeBackup(world, new Date('2026-01-01'))
  const state = { stage: 'lanes', startedAt: '2026-01-01T00:00:00Z', memoryBytes: 1, cpuSeconds: 1 }
  await storeSetting(world, 'signer_state', state)
  // No node shows a history after a signature that is none, and the balance of the account differs from the books.
  await owner.query(
    `with assigned as (
       update deposit_addresses set wallet = $1, assigned_at = now(), cursor_signature = 'none'
       where index = (select min(index) from deposit_addresses where wallet is null and retired_at is null)
       returning token_account
     )
     insert into token_account_totals (token_account, credited) select token_account, 5 from assigned`,
    [(await world.player()).wallet],
  )
  await owner.query('update deposit_addresses set retired_at = now() where wallet is null')
  await owner.query(
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at)
     values ('s', 't', $1, 'cotton', 5, 1, 'pending', '2026-01-01')`,
    [wallet],
  )
  await owner.query(
    `insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
     values ($1, 't', 5, repeat('1', 64), '', 1, 'signed', '2026-01-01')`,
    [randomUUID()],
  )
}

const DATABASE = ['BusDisconnected', 'ConnectionsExhausted', 'RequestsFailing', 'RequestsSlow']

/** Players wait for a lock, then the api may not read balances, and then it cannot listen for changes. */
async function breakDatabase(owner: Client, url: string): Promise<void> {
  const readBalances = () =>
    Promise.all(
      Array.from({ length: 30 }, async () => {
        await fetch(`${url}/api/users/wallet/So11111111111111111111111111111111111111112`)
      }),
    )
  await owner.query('begin')
  await owner.query('lock table accounts in access exclusive mode')
  const waiting = readBalances()
  await sleep(6_000)
  await owner.query('rollback')
  await waiting
  await owner.query('revoke select on accounts from api')
  await readBalances()
  await allowConnections(owner, false)
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'cotton-changes'`,
  )
  await sleep(1_000)
  await readBalances()
}

async function allowConnections(owner: Client, allowed: boolean): Promise<void> {
  const { rows } = await owner.query<{ name: string }>('select current_database() as name')
  await owner.query(`alter database ${rows[0]!.name} connection limit ${allowed ? -1 : 0}`)
}

async function openFailingWebhook(): Promise<{ url: string; close(): void }> {
  const receiver = createServer((_request, response) => void response.writeHead(500).end())
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => void receiver.close() }
}
