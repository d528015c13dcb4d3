import { expect, test } from 'vitest'
import { SETTINGS } from '#server/platform/settings.ts'
import { checkAlerts, checkSettings } from './check-settings.ts'
import { lineOf } from './finding.ts'

const examine = (...names: string[]): string[] =>
  checkSettings({ env: Object.fromEntries(names.map((name) => [name, '7'])) }).map(lineOf)

test.for([
  ['WITHDRAWAL_PER_HOUR', 'WITHDRAWALS_PER_HOUR'],
  ['WITHDRAWN_PER_HOURS', 'WITHDRAWN_PER_HOUR'],
  ['TRUSTPROXY', 'TRUST_PROXY'],
  ['public_url', 'PUBLIC_URL'],
  ['BACKUP-DIR', 'BACKUP_DIR'],
] as const)('%s is a finding that names %s', ([name, known]) => {
  expect(examine(name)).toEqual([
    `note  settings: ${name} is no setting, and is ignored — write ${known}, if you mean that`,
  ])
})

test('neither a setting nor a variable of another program is a finding', () => {
  expect(examine(...Object.keys(SETTINGS))).toEqual([])
  expect(
    examine('PATH', 'HOME', 'HOSTNAME', 'TMPDIR', 'PGHOST', 'NODE_ENV', 'NODE_OPTIONS', 'XDG_DATA_DIRS'),
  ).toEqual([])
})

test('a game that alerts nobody is a finding, except on the local chain', () => {
  const none = { alertWebhookUrl: '', metricsPort: 0 }
  const mainnet = { cluster: 'mainnet' } as const
  expect(checkAlerts(none, mainnet).map(lineOf)).toEqual([
    'note  alerts: neither ALERT_WEBHOOK_URL nor METRICS_PORT is set here — set the first, or the second for Prometheus, unless the files of separate roles do: otherwise nobody is alerted',
  ])
  expect(checkAlerts(none, { cluster: 'local' })).toEqual([])
  expect(checkAlerts(none, null)).toEqual([])
  expect(checkAlerts({ ...none, alertWebhookUrl: 'https://hook.example' }, mainnet)).toEqual([])
  expect(checkAlerts({ ...none, metricsPort: 9190 }, mainnet)).toEqual([])
})
