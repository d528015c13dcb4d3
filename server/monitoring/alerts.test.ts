import { createServer, type Server } from 'node:http'
import { pino } from 'pino'
import { expect, vi } from 'vitest'
import { openDb, type Queryable } from '#server/platform/db/db.ts'
import { readConfig } from '#server/platform/config.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { pauseWithdrawals, resumeWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import {
  addWithdrawal,
  checkReserve,
  clearMoney,
  runSigner,
  storeSetting,
  storeTreasury,
} from '#tests/support/money-situations.ts'
import { test as base, type TestWorld } from '#tests/support/test-world.ts'
import { createAlertRound } from './start-alerts.ts'
import type { webhookMessage } from './webhook-message.ts'

type Message = ReturnType<typeof webhookMessage>

/** A real receiver of webhooks. `status` null stands for no answer. */
type Receiver = {
  url: string
  messages: Message[]
  status: number | null
  server: Server
}

async function openReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    // Read when the request begins. A test that expects no answer goes on before the body has arrived, and sets another status.
    const { status } = receiver
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      if (status === null) return
      if (status === 200) receiver.messages.push(JSON.parse(body) as Message)
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('ok')
    })
  })
  // A test frees the port for a while. No outgoing connection takes it then.
  const port = await findFreePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook/SECRETTOKEN`,
    messages: [],
    status: 200,
    server,
  }
  return receiver
}

/** Ends the wait for an answer as soon as the receiver has a request that it does not answer. */
function endVainWaits(receiver: Receiver): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const late = new AbortController()
    receiver.server.once('request', () => {
      if (receiver.status === null) late.abort(new DOMException('late', 'TimeoutError'))
    })
    return late.signal
  })
}

const test = base.extend('receiver', async ({ world }, { onCleanup }) => {
  await clearMoney(world)
  const receiver = await openReceiver()
  onCleanup(async () => {
    receiver.server.closeAllConnections()
    receiver.server.close()
    await clearMoney(world)
  })
  return receiver
})

const MINUTE_MS = 60_000

/** Rounds of alerts with the watcher's own login, and what they log. */
function openAlerts(world: TestWorld, url: string) {
  const logged: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
  const db = openDb(world.urlFor('watcher'), { max: 2, applicationName: 'test-alerts' })
  const unreachable = openDb('postgres://watcher@127.0.0.1:1/none', { max: 1, applicationName: 'test-none' })
  let isReachable = true
  const either: Queryable = {
    rows: (...args) => (isReachable ? db : unreachable).rows(...args),
  }
  const settings = readConfig({ ALERT_WEBHOOK_URL: url, PUBLIC_URL: 'https://farm.example' })
  const create = () => createAlertRound(settings, { db: either, clock: world.clock, log })
  let round = create()
  return {
    logged,
    /** A game that is well: the reserve was just checked and the signer has just run. */
    async round({ well = true } = {}) {
      if (well) {
        await checkReserve(world)
        await runSigner(world)
      }
      await round()
    },
    restart: () => void (round = create()),
    reach: (reachable: boolean) => void (isReachable = reachable),
    close: () => Promise.all([db.end(), unreachable.end()]),
  }
}

const namesIn = ({ alerts }: Message, status: string) =>
  alerts.filter((each) => each.status === status).map(({ labels }) => labels.alertname)

test('an alert is sent at once, repeated until it is over, and its end is sent once', async ({
  world,
  receiver,
}) => {
  const alerts = openAlerts(world, receiver.url)
  await alerts.round()
  expect(receiver.messages).toEqual([])
  await pauseWithdrawals(world.db, { why: 'A test.', now: world.clock.now() })
  await alerts.round()
  expect(receiver.messages.map(({ status }) => status)).toEqual(['firing'])
  world.clock.advance(59 * MINUTE_MS)
  await alerts.round()
  expect(receiver.messages).toHaveLength(1)
  world.clock.advance(MINUTE_MS)
  // A restart of the watcher neither repeats nor forgets.
  alerts.restart()
  await alerts.round()
  await alerts.round()
  expect(receiver.messages).toHaveLength(2)
  await resumeWithdrawals(world.db)
  alerts.restart()
  await alerts.round()
  await alerts.round()
  expect(receiver.messages.map((message) => namesIn(message, 'resolved'))).toEqual([
    [],
    [],
    ['WithdrawalsPaused'],
  ])
  await alerts.close()
})

test('everything that waits is one message, with ids of withdrawals and nothing about players', async ({
  world,
  receiver,
}) => {
  const alerts = openAlerts(world, receiver.url)
  const first = await addWithdrawal(world, 'review')
  world.clock.advance(1_000)
  for (let count = 0; count < 3; count++) await addWithdrawal(world, 'review')
  await pauseWithdrawals(world.db, { why: 'A test.', now: world.clock.now() })
  await storeTreasury(world, ['tokens_low', 'sol_low', 'sol_high'])
  await checkReserve(world, { missing: 300 })
  await runSigner(world)
  await storeSetting(world, 'last_backup_failure', { at: world.clock.now().toISOString(), reason: 'full' })
  await alerts.round({ well: false })
  const [message] = receiver.messages
  expect(namesIn(message!, 'firing')).toEqual([
    'WithdrawalInReview',
    'WithdrawalsPaused',
    'TokensMissing',
    'TreasuryLowOnTokens',
    'TreasuryLowOnSol',
    'BackupFailed',
  ])
  const text = JSON.stringify(message)
  expect(text).toContain(first)
  expect(text).toContain('4 withdrawals wait for your approval, 42 $COTTON in all')
  expect(text).toContain('300 $COTTON are missing')
  expect(text).not.toMatch(/WALLET/)
  expect(receiver.messages).toHaveLength(1)
  await alerts.close()
})

test('the alert of a treasury that is just below its floor shows less SOL than the floor', async ({
  world,
  receiver,
}) => {
  const alerts = openAlerts(world, receiver.url)
  const treasury = { address: 'So11111111111111111111111111111111111111112', tokens: '2500000' }
  await storeSetting(world, 'treasury_state', { ...treasury, lamports: '999995000', alarms: ['sol_low'] })
  await alerts.round()
  expect(JSON.stringify(receiver.messages)).toContain('The treasury has 0.999995 SOL left for fees')
  await alerts.close()
})

test('a message has the fields of Alertmanager, and its sentence where Slack and Discord look', async ({
  world,
  receiver,
}) => {
  const alerts = openAlerts(world, receiver.url)
  await pauseWithdrawals(world.db, { why: 'A test.', now: world.clock.now() })
  await alerts.round()
  const at = world.clock.now().toISOString()
  const sentence = `Withdrawals are paused since ${at}. "npm run ops -- status" says why.`
  const runbook = 'docs/runbooks/alerts.md#withdrawalspaused'
  const text = `Cotton Farm at https://farm.example\nCRITICAL WithdrawalsPaused: ${sentence} See ${runbook}`
  expect(receiver.messages[0]).toEqual({
    version: '4',
    receiver: 'cotton-farm',
    status: 'firing',
    groupKey: 'cotton-farm:https://farm.example',
    groupLabels: {},
    commonLabels: { game: 'https://farm.example' },
    commonAnnotations: {},
    externalURL: 'https://farm.example',
    truncatedAlerts: 0,
    alerts: [
      {
        status: 'firing',
        labels: { alertname: 'WithdrawalsPaused', severity: 'critical', game: 'https://farm.example' },
        annotations: { summary: sentence, runbook_url: runbook },
        startsAt: at,
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: 'https://farm.example',
        fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ],
    text,
    content: text,
  })
  await alerts.close()
})

test('a signer or a reserve check that is missing for less than a minute alerts nobody', async ({
  world,
  receiver,
}) => {
  const alerts = openAlerts(world, receiver.url)
  await alerts.round({ well: false })
  world.clock.advance(59_000)
  await alerts.round({ well: false })
  await alerts.round()
  world.clock.advance(2_000)
  await alerts.round()
  expect(receiver.messages).toEqual([])
  world.clock.advance(3 * MINUTE_MS)
  await alerts.round({ well: false })
  world.clock.advance(MINUTE_MS)
  await alerts.round({ well: false })
  expect(namesIn(receiver.messages[0]!, 'firing')).toEqual(['ReserveUnchecked', 'SignerSilent'])
  await alerts.close()
})

test('a signer that is not ready for a quarter of an hour is an alert', async ({ world, receiver }) => {
  const alerts = openAlerts(world, receiver.url)
  const roundBeforeReady = async () => {
    await checkReserve(world)
    await runSigner(world, 'history')
    await alerts.round({ well: false })
  }
  await roundBeforeReady()
  world.clock.advance(15 * MINUTE_MS - 1)
  await roundBeforeReady()
  expect(receiver.messages).toEqual([])
  world.clock.advance(1)
  await roundBeforeReady()
  expect(receiver.messages.map((message) => namesIn(message, 'firing'))).toEqual([['SignerNotReady']])
  await alerts.round()
  expect(namesIn(receiver.messages[1]!, 'resolved')).toEqual(['SignerNotReady'])
  await alerts.close()
})

test.for([
  ['answers 500', 500, 'HTTP 500'],
  ['redirects', 307, 'it cannot be reached'],
  ['does not answer', null, 'no answer in time'],
] as const)(
  'a webhook that %s is tried again later and later, and gets everything once it works',
  async ([, status, reason], { world, receiver }) => {
    const alerts = openAlerts(world, receiver.url)
    let calls = 0
    receiver.server.on('request', () => (calls += 1))
    receiver.status = status
    endVainWaits(receiver)
    await pauseWithdrawals(world.db, { why: 'A test.', now: world.clock.now() })
    await alerts.round()
    await alerts.round()
    expect(calls).toBe(1)
    for (const seconds of [5, 10, 20]) {
      const before = calls
      world.clock.advance(seconds * 1_000 - 1)
      await alerts.round()
      expect(calls).toBe(before)
      world.clock.advance(1)
      await alerts.round()
    }
    expect(calls).toBe(4)
    receiver.status = 200
    world.clock.advance(5 * MINUTE_MS)
    await alerts.round()
    expect(receiver.messages.map((message) => namesIn(message, 'firing'))).toEqual([['WithdrawalsPaused']])
    expect(alerts.logged).toHaveLength(2)
    expect(alerts.logged[0]).toContain(reason)
    expect(alerts.logged.join()).not.toContain('SECRETTOKEN')
    await alerts.close()
  },
)

test('a webhook that is down is logged once, and what ended meanwhile is never sent', async ({
  world,
  receiver,
}) => {
  receiver.server.close()
  const alerts = openAlerts(world, receiver.url)
  await pauseWithdrawals(world.db, { why: 'A test.', now: world.clock.now() })
  await alerts.round()
  await resumeWithdrawals(world.db)
  world.clock.advance(5 * MINUTE_MS)
  await alerts.round()
  expect(alerts.logged).toHaveLength(1)
  expect(alerts.logged[0]).toContain('ECONNREFUSED')
  expect(alerts.logged[0]).not.toContain('SECRETTOKEN')
  const { port } = new URL(receiver.url)
  await new Promise<void>((resolve) => receiver.server.listen(Number(port), '127.0.0.1', resolve))
  await alerts.round()
  expect(receiver.messages).toEqual([])
  await alerts.close()
})

test('a database that is unreachable for a minute is an alert, repeated, and its end is sent once', async ({
  world,
  receiver,
}) => {
  const alerts = openAlerts(world, receiver.url)
  const fail = () => expect(alerts.round({ well: false })).rejects.toThrow('ECONNREFUSED')
  alerts.reach(false)
  await fail()
  world.clock.advance(59_000)
  await fail()
  expect(receiver.messages).toEqual([])
  world.clock.advance(1_000)
  await fail()
  await fail()
  world.clock.advance(60 * MINUTE_MS)
  await fail()
  alerts.reach(true)
  await alerts.round()
  await alerts.round()
  expect(receiver.messages.map(({ status, alerts: [first] }) => [status, first?.labels.alertname])).toEqual([
    ['firing', 'MoneyUnmeasured'],
    ['firing', 'MoneyUnmeasured'],
    ['resolved', 'MoneyUnmeasured'],
  ])
  // A short outage later starts from the beginning.
  alerts.reach(false)
  await fail()
  alerts.reach(true)
  await alerts.round()
  world.clock.advance(2 * MINUTE_MS)
  alerts.reach(false)
  await fail()
  expect(receiver.messages).toHaveLength(3)
  await alerts.close()
})

test('a clock that was ahead and has been set back silences no alert', async ({ world, receiver }) => {
  const alerts = openAlerts(world, receiver.url)
  world.clock.advance(3 * 60 * MINUTE_MS)
  await pauseWithdrawals(world.db, { why: 'A test.', now: world.clock.now() })
  receiver.status = 500
  await alerts.round()
  world.clock.advance(-60 * MINUTE_MS)
  receiver.status = 200
  await alerts.round()
  expect(receiver.messages).toHaveLength(1)
  world.clock.advance(-60 * MINUTE_MS)
  await alerts.round()
  expect(receiver.messages).toHaveLength(2)
  await alerts.round()
  expect(receiver.messages).toHaveLength(2)
  alerts.reach(false)
  const fail = () => expect(alerts.round({ well: false })).rejects.toThrow('ECONNREFUSED')
  await fail()
  world.clock.advance(-60 * MINUTE_MS)
  await fail()
  expect(receiver.messages).toHaveLength(3)
  await alerts.close()
})

test('a webhook must be https, except on this machine, and a refused one is not shown', () => {
  for (const url of [
    'https://hooks.example/x',
    'http://localhost:9/x',
    'http://127.0.0.1/x',
    'http://[::1]:8/x',
  ])
    expect(readConfig({ ALERT_WEBHOOK_URL: url }).alertWebhookUrl).toBe(url)
  for (const url of [
    'http://hooks.example/SECRET',
    'http://127.0.0.1.evil.example/SECRET',
    'ftp://x/SECRET',
    'SECRET',
  ])
    expect(() => readConfig({ ALERT_WEBHOOK_URL: url })).toThrow(
      /^ALERT_WEBHOOK_URL is "…", which is not an address/,
    )
})
