import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { METRICS, type MetricRow } from '#server/platform/metrics/metric-table.ts'
import { createMetrics } from '#server/platform/metrics/registry.ts'
import { unpackDebianProgram } from './debian-program.ts'
import { readAlertRules, RULES_FILE } from './read-alert-rules.ts'

const ROOT = join(import.meta.dirname, '../..')
const promtool = unpackDebianProgram(['prometheus'], 'usr/bin/promtool')
const rules = readAlertRules()
const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Values of a series, one for each 15 seconds. In promtool's notation: start + step × count. The clock starts at 0. */
const NOW = '0+15x1000'
const constant = (value: number) => `${value}x1000`

/** A game that is well. */
const WELL: Record<string, string> = {
  'up{job="cotton-farm",instance="a"}': constant(1),
  'up{job="cotton-farm",role="watcher",instance="works"}': constant(1),
  'up{job="cotton-farm",role="watcher",instance="stands-by"}': constant(0),
  'cotton_withdrawals{state="review"}': constant(0),
  'cotton_withdrawal_oldest_age_seconds{state="review"}': constant(90_000),
  'cotton_withdrawal_oldest_age_seconds{state="approved"}': constant(20),
  cotton_withdrawals_paused: constant(0),
  cotton_reserve_breached: constant(0),
  // Very many deposits wait for a sweep: a check takes half a minute, and the last one ended two minutes ago.
  cotton_reserve_checked_timestamp_seconds: '-120+15x1000',
  cotton_reserve_check_duration_seconds: constant(30),
  'cotton_treasury_low{asset="cotton"}': constant(0),
  'cotton_treasury_low{asset="sol"}': constant(0),
  cotton_signer_round_timestamp_seconds: NOW,
  'cotton_signer_stage{stage="ready"}': constant(1),
  cotton_sweep_oldest_age_seconds: constant(30),
  cotton_sweep_landed_timestamp_seconds: NOW,
  // Several arrive each minute: some are always pending, others each time.
  cotton_deposits_pending: constant(3),
  cotton_deposit_oldest_age_seconds: constant(20),
  cotton_deposit_unread_age_seconds: constant(0),
  cotton_deposit_addresses_free: constant(150),
  cotton_chain_slot_timestamp_seconds: NOW,
  'cotton_rpc_requests_total{node="a",outcome="ok"}': '0+60x1000',
  'cotton_rpc_requests_total{node="a",outcome="failed"}': '0+6x1000',
  'http_requests_total{job="cotton-farm",status="200"}': '0+1000x1000',
  'http_requests_total{job="cotton-farm",status="503"}': '0+1x1000',
  // Proxies ask for the health of an api, also of one that is drained.
  'http_requests_total{job="cotton-farm",route="/readyz",status="200"}': '0+9000x1000',
  'http_requests_total{job="cotton-farm",route="/readyz",status="503"}': '0+900x1000',
  'http_request_duration_seconds_bucket{le="0.1"}': '0+1000x1000',
  'http_request_duration_seconds_bucket{le="1"}': '0+1000x1000',
  'http_request_duration_seconds_bucket{le="+Inf"}': '0+1000x1000',
  'http_request_duration_seconds_bucket{route="/readyz",le="0.1"}': '0+9900x1000',
  'http_request_duration_seconds_bucket{route="/readyz",le="1"}': '0+9900x1000',
  'http_request_duration_seconds_bucket{route="/readyz",le="+Inf"}': '0+9900x1000',
  // Somebody tries signatures.
  'http_request_duration_seconds_bucket{route="/api/users/verify-wallet",le="0.1"}': '0+0x1000',
  'http_request_duration_seconds_bucket{route="/api/users/verify-wallet",le="1"}': '0+0x1000',
  'http_request_duration_seconds_bucket{route="/api/users/verify-wallet",le="+Inf"}': '0+100x1000',
  cotton_bus_connected: constant(1),
  'cotton_round_success_timestamp_seconds{round="solvency"}': NOW,
  // Very many deposit addresses: twenty minutes ago.
  'cotton_round_success_timestamp_seconds{round="balances"}': '-1200+15x1000',
  'cotton_db_waiting_requests{pool="cotton-api"}': '0 5 0 7 0 0x1000',
  'cotton_alert_deliveries_total{outcome="ok"}': '0+1x1000',
  'cotton_alert_deliveries_total{outcome="failed"}': '0+1x1000',
  cotton_backup_failed: constant(0),
  cotton_backup_timestamp_seconds: constant(-3_600),
  cotton_drill_timestamp_seconds: constant(-86_400),
}

type Case = {
  series: Record<string, string | null>
  /** Minutes until the alert fires. Half a minute earlier it does not. */
  minutes: number
}

/** For each alert what is not well, from the start. */
const CASES: Record<string, Case> = {
  WithdrawalInReview: { series: { 'cotton_withdrawals{state="review"}': constant(1) }, minutes: 1 },
  WithdrawalStuck: {
    series: { 'cotton_withdrawal_oldest_age_seconds{state="approved"}': '0+15x1000' },
    minutes: 35.25,
  },
  WithdrawalsPaused: { series: { cotton_withdrawals_paused: constant(1) }, minutes: 0 },
  TokensMissing: { series: { cotton_reserve_breached: constant(1) }, minutes: 0 },
  ReserveUnchecked: {
    series: {
      cotton_reserve_checked_timestamp_seconds: constant(0),
      // A watcher of 0.1.0 does not report it.
      cotton_reserve_check_duration_seconds: '_x1000',
    },
    minutes: 2.25,
  },
  TreasuryLowOnTokens: { series: { 'cotton_treasury_low{asset="cotton"}': constant(1) }, minutes: 1 },
  TreasuryLowOnSol: { series: { 'cotton_treasury_low{asset="sol"}': constant(1) }, minutes: 1 },
  SignerSilent: { series: { cotton_signer_round_timestamp_seconds: constant(0) }, minutes: 3.25 },
  SignerNotReady: { series: { 'cotton_signer_stage{stage="ready"}': constant(0) }, minutes: 15 },
  SweepStuck: { series: { cotton_sweep_oldest_age_seconds: NOW }, minutes: 35.25 },
  DepositPending: { series: { cotton_deposit_oldest_age_seconds: NOW }, minutes: 35.25 },
  DepositUnread: { series: { cotton_deposit_unread_age_seconds: NOW }, minutes: 35.25 },
  DepositAddressesLow: { series: { cotton_deposit_addresses_free: constant(49) }, minutes: 5 },
  ChainBehind: { series: { cotton_chain_slot_timestamp_seconds: constant(0) }, minutes: 2.25 },
  NodeFailing: {
    series: { 'cotton_rpc_requests_total{node="a",outcome="failed"}': '0+70x1000' },
    minutes: 10.25,
  },
  RequestsFailing: {
    series: { 'http_requests_total{job="cotton-farm",status="503"}': '0+30x1000' },
    minutes: 5.25,
  },
  RequestsSlow: {
    series: {
      'http_request_duration_seconds_bucket{le="0.1"}': '0+900x1000',
      'http_request_duration_seconds_bucket{le="1"}': '0+980x1000',
      'http_request_duration_seconds_bucket{le="2.5"}': '0+1000x1000',
    },
    minutes: 10.25,
  },
  BusDisconnected: { series: { cotton_bus_connected: constant(0) }, minutes: 2 },
  RoleDown: { series: { 'up{job="cotton-farm",instance="a"}': constant(0) }, minutes: 1 },
  MoneyUnmeasured: { series: { cotton_withdrawals_paused: null }, minutes: 2 },
  RoundsFailing: {
    series: { 'cotton_round_success_timestamp_seconds{round="solvency"}': constant(0) },
    minutes: 11.25,
  },
  ConnectionsExhausted: {
    series: { 'cotton_db_waiting_requests{pool="cotton-api"}': constant(1) },
    minutes: 1,
  },
  WebhookFailing: {
    series: { 'cotton_alert_deliveries_total{outcome="ok"}': constant(4) },
    minutes: 5.25,
  },
  BackupFailed: { series: { cotton_backup_failed: constant(1) }, minutes: 0 },
  BackupOld: { series: { cotton_backup_timestamp_seconds: constant(-130_000) }, minutes: 10 },
  DrillOld: { series: { cotton_drill_timestamp_seconds: constant(-3_100_000) }, minutes: 10 },
}

/** The ages of a sweep that expires after a minute and a half and is signed again, for ever. */
const EXPIRING = Array.from({ length: 1_000 }, (_, at) => (at % 6) * 15).join(' ')

/** Some alerts have a second reason. */
const SECOND_CASES: Record<string, Case> = {
  SweepStuck: {
    series: {
      cotton_sweep_oldest_age_seconds: EXPIRING,
      cotton_sweep_landed_timestamp_seconds: constant(0),
    },
    minutes: 35.25,
  },
  // The clocks of watcher and signer are an hour ahead.
  ReserveUnchecked: {
    series: { cotton_reserve_checked_timestamp_seconds: '3600+15x1000' },
    minutes: 1,
  },
  SignerSilent: {
    series: { cotton_signer_round_timestamp_seconds: '3600+15x1000' },
    minutes: 1,
  },
  RequestsFailing: {
    // No api reaches the database, and the proxy answers all players itself.
    series: {
      'http_requests_total{job="cotton-farm",status="200"}': constant(0),
      'http_requests_total{job="cotton-farm",status="503"}': constant(0),
      'http_requests_total{job="cotton-farm",route="/readyz",status="200"}': constant(0),
    },
    minutes: 5.25,
  },
  RoleDown: {
    series: { 'up{job="cotton-farm",role="watcher",instance="works"}': constant(0) },
    minutes: 1,
  },
  RoundsFailing: {
    series: { 'cotton_round_success_timestamp_seconds{round="balances"}': constant(0) },
    minutes: 61.25,
  },
}

const FIRING = 'count by (alertname) (ALERTS{alertstate="firing"})'

/** A test of promtool: at each time, exactly these alerts fire. */
const promtoolTest = (name: string, { series, minutes }: Case) => ({
  name,
  interval: '15s',
  input_series: Object.entries({ ...WELL, ...series }).flatMap(([each, values]) =>
    values === null ? [] : [{ series: each, values }],
  ),
  promql_expr_test: [
    ...(minutes > 0 ? [{ expr: FIRING, eval_time: `${minutes * 60 - 30}s`, exp_samples: [] }] : []),
    {
      expr: FIRING,
      eval_time: `${minutes * 60}s`,
      exp_samples: name === '' ? [] : [{ labels: `{alertname="${name}"}`, value: 1 }],
    },
  ],
})

test('the sample sends alerts to Alertmanager, and leaves its port to the node exporter', () => {
  const sample = readFileSync(join(dirname(RULES_FILE), 'prometheus.yml'), 'utf8')
  expect(sample).toMatch(
    /^alerting:\n {2}alertmanagers:\n {4}- static_configs:\n {8}- targets: \['127\.0\.0\.1:9093'\]$/m,
  )
  expect(sample).not.toContain(':9100')
})

describe.skipIf(!promtool)('promtool of Debian', () => {
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(promtool!.path, args, {
      encoding: 'utf8',
      env: promtool!.env,
    })
    return { status, output: `${stdout}${stderr}` }
  }

  test('accepts rules, sample configuration and metrics', async () => {
    expect(run('check', 'rules', RULES_FILE)).toMatchObject({ status: 0 })
    expect(run('check', 'config', join(dirname(RULES_FILE), 'prometheus.yml'))).toMatchObject({ status: 0 })
    for (const role of ['api', 'watcher', 'local-chain'] as const) {
      const input = await createMetrics(role).text()
      const checked = spawnSync(promtool!.path, ['check', 'metrics'], { input, encoding: 'utf8' })
      // The others are of prom-client.
      expect(`${checked.stdout}${checked.stderr}`).not.toMatch(/^(cotton|http)_/m)
    }
  })

  test(
    'fires each alert after its time and no other, and none in a game that is well',
    { tags: 'variant' },
    () => {
      expect(Object.keys(CASES).toSorted()).toEqual(rules.map(({ name }) => name).toSorted())
      const file = join(folder, 'tests.yml')
      const tests = [
        ...[CASES, SECOND_CASES].flatMap((cases) =>
          Object.entries(cases).map(([name, each]) => promtoolTest(name, each)),
        ),
        promtoolTest('', { series: {}, minutes: 200 }),
      ]
      // JSON is YAML.
      writeFileSync(file, JSON.stringify({ rule_files: [RULES_FILE], evaluation_interval: '15s', tests }))
      const { status, output } = run('test', 'rules', file)
      expect(status, output).toBe(0)
    },
  )
})

test.runIf(!promtool)('promtool is not available: its tests are skipped', () => {
  process.stdout.write('apt-get cannot download the package prometheus, so the alert rules are not run.\n')
})

test('each alert has a severity and an entry of its own in the runbook', () => {
  const page = readFileSync(join(ROOT, 'docs/runbooks/alerts.md'), 'utf8')
  const entries = [...page.matchAll(/^### (\w+)$/gm)].map((match) => match[1]!)
  expect(entries.toSorted()).toEqual(rules.map(({ name }) => name).toSorted())
  for (const { name, severity, runbook } of rules) {
    expect(['critical', 'warning'], name).toContain(severity)
    expect(runbook).toBe(`docs/runbooks/alerts.md#${name.toLowerCase()}`)
  }
})

test('the webhook knows the alerts that the runbook marks, and each is in the rules', () => {
  const page = readFileSync(join(ROOT, 'docs/runbooks/alerts.md'), 'utf8')
  const marked = [...page.matchAll(/^### (\w+)\n\n†/gm)].map((match) => match[1]!)
  const source = readFileSync(join(ROOT, 'server/monitoring/find-alerts.ts'), 'utf8')
  const known = [...source.matchAll(/^ +name: '(\w+)'/gm)].map((match) => match[1]!)
  expect(marked.toSorted()).toEqual(known.toSorted())
  expect(rules.map(({ name }) => name)).toEqual(expect.arrayContaining(known))
})

/** A metric and a label of it in a query: `name{label=`, `name`. */
function namesIn(query: string): { metrics: string[]; labels: [string, string][] } {
  const selectors = [...query.matchAll(/\b((?:cotton|http|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)]
  const baseOf = (name: string) => name.replace(/_(bucket|count|sum)$/, '')
  return {
    metrics: selectors.map((match) => baseOf(match[1]!)),
    labels: selectors.flatMap((match) =>
      [...(match[2] ?? '').matchAll(/(\w+) *[!=]~?/g)].map((label): [string, string] => [
        baseOf(match[1]!),
        label[1]!,
      ]),
    ),
  }
}

type Panel = { title: string; panels?: Panel[]; targets?: { expr: string }[] }
type Dashboard = { title: string; uid: string; panels: Panel[] }

const DASHBOARDS = join(ROOT, 'deploy/grafana')
const dashboards = readdirSync(DASHBOARDS).map(
  (name) => JSON.parse(readFileSync(join(DASHBOARDS, name), 'utf8')) as Dashboard,
)
const queries = [
  ...rules.map(({ name, expr }) => ({ place: name, expr })),
  ...dashboards.flatMap(({ title, panels }) =>
    panels.flatMap((panel) =>
      (panel.targets ?? []).map(({ expr }) => ({ place: `${title}: ${panel.title}`, expr })),
    ),
  ),
]

test('every metric and label in rules and dashboards exists in the code', async () => {
  const text = await createMetrics('api').text()
  const standard = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!))
  const table = new Map<string, MetricRow>(Object.entries(METRICS))
  // Prometheus adds these to every sample.
  const added = ['job', 'instance', 'le']
  expect(dashboards.map(({ uid }) => uid).toSorted()).toEqual(['cotton-farm-money', 'cotton-farm-players'])
  expect(queries.length).toBeGreaterThan(50)
  for (const { place, expr } of queries) {
    const { metrics, labels } = namesIn(expr)
    for (const name of metrics) expect(table.has(name) || standard.has(name), `${place}: ${name}`).toBe(true)
    for (const [name, label] of labels) {
      const known = [...(table.get(name)?.labels ?? []), ...added]
      expect(known, `${place}: ${name}`).toContain(label)
    }
  }
})

test('the dashboards show every metric about players and money', () => {
  const shown = new Set(queries.flatMap(({ expr }) => namesIn(expr).metrics))
  const hidden = Object.keys(METRICS).filter((name) => !shown.has(name))
  expect(hidden).toEqual([])
})
