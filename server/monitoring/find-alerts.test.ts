import { expect, test } from 'vitest'
import { findAlerts } from './find-alerts.ts'
import type { MoneyState } from './read-money.ts'

const HOUR_MS = 3_600_000
const now = new Date('2026-11-28T12:00:00Z')

const HEALTHY: MoneyState = {
  withdrawals: [],
  pause: null,
  snapshot: null,
  treasury: null,
  signer: null,
  oldestSweep: null,
  landedSweep: null,
  pendingDeposits: 0,
  oldestDeposit: null,
  freeAddresses: 9,
  backupAt: null,
  backupFailedAt: null,
  drillAt: null,
  drillFailedAt: null,
}

test('backups that stopped raise an alert after 36 hours, also where no attempt has recorded that it failed', () => {
  const found = (state: Partial<MoneyState>) =>
    findAlerts({ ...HEALTHY, ...state }, { now, reviewIds: [] }).filter(({ name }) =>
      name.startsWith('Backup'),
    )
  const ago = (ms: number) => new Date(now.getTime() - ms)
  expect(found({ backupAt: ago(36 * HOUR_MS) })).toEqual([])
  expect(found({ backupAt: ago(36 * HOUR_MS + 1) })).toEqual([
    {
      name: 'BackupOld',
      severity: 'warning',
      summary:
        'The last backup is of 2026-11-26T23:59:59.999Z. Make one, and see why the schedule makes none.',
      afterMs: 0,
    },
  ])
  // One alert says it.
  expect(found({ backupAt: ago(37 * HOUR_MS), backupFailedAt: ago(1) })).toMatchObject([
    { name: 'BackupFailed' },
  ])
  // Backups are made in another way.
  expect(found({ backupAt: null })).toEqual([])
})
