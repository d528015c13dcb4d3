import { COTTON_DECIMALS } from '#game/cotton.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Queryable } from '#server/platform/db/db.ts'
import { toSol } from '#server/platform/format-sol.ts'
import { MONEY_METRICS, type MetricName } from '#server/platform/metrics/metric-table.ts'
import type { Metrics, Sample } from '#server/platform/metrics/registry.ts'
import { OPEN_STATES } from '#server/withdrawals/open-states.ts'
import { type MoneyState, type OpenWithdrawals, readMoney } from './read-money.ts'
import { readSentAlerts } from './send-alerts.ts'

/** Metrics of the money that are not read with it: the watcher's own measurements, and the alerts. */
const READ_APART: ReadonlySet<string> = new Set<MetricName>([
  'cotton_chain_slot',
  'cotton_chain_slot_timestamp_seconds',
  'cotton_deposit_unread_age_seconds',
  'cotton_alerts',
  'cotton_alert_deliveries_total',
])
const MONEY_NAMES = (Object.keys(MONEY_METRICS) as MetricName[]).filter((name) => !READ_APART.has(name))

/** Adds the metrics of the money. While the database is unreachable they are absent, which the alert rules notice. */
export function addMoneyMetrics(metrics: Metrics, { db, clock }: { db: Queryable; clock: Clock }): void {
  metrics.collect(MONEY_NAMES, async () => {
    const now = clock.now()
    return samplesOf(await readMoney(db, now), now)
  })
  metrics.collect(['cotton_alerts'], async () => {
    const names = await readSentAlerts(db)
    return names.map((alert) => ({ name: 'cotton_alerts', labels: { alert }, value: 1 }))
  })
}

const cottonOf = (baseUnits: bigint) => Number(baseUnits) / 10 ** COTTON_DECIMALS
const ageOf = (date: Date | null | undefined, now: Date) =>
  date ? Math.max(0, now.getTime() - date.getTime()) / 1_000 : 0
/** 0 if it never happened: every alert on its age fires then. */
const timestampOf = (date: Date | null | undefined) => (date ? date.getTime() / 1_000 : 0)

/** The samples of the state. What is unknown has no sample. */
function samplesOf(state: MoneyState, now: Date): Sample[] {
  const { pause, snapshot, oldestSweep, landedSweep, pendingDeposits, oldestDeposit } = state
  const { freeAddresses, backupAt, backupFailedAt, drillAt } = state
  return [
    ...OPEN_STATES.flatMap((name) => withdrawalSamples(state, name, now)),
    { name: 'cotton_withdrawals_paused', value: Number(pause !== null) },
    ...reserveSamples(state),
    { name: 'cotton_reserve_checked_timestamp_seconds', value: timestampOf(snapshot?.at) },
    { name: 'cotton_reserve_check_duration_seconds', value: (snapshot?.tookMs ?? 0) / 1_000 },
    { name: 'cotton_sweep_oldest_age_seconds', value: ageOf(oldestSweep, now) },
    { name: 'cotton_sweep_landed_timestamp_seconds', value: timestampOf(landedSweep) },
    { name: 'cotton_deposits_pending', value: pendingDeposits },
    { name: 'cotton_deposit_oldest_age_seconds', value: ageOf(oldestDeposit, now) },
    { name: 'cotton_deposit_addresses_free', value: freeAddresses },
    ...treasurySamples(state),
    ...signerSamples(state),
    { name: 'cotton_backup_timestamp_seconds', value: timestampOf(backupAt) },
    { name: 'cotton_backup_failed', value: Number(backupFailedAt !== null) },
    { name: 'cotton_drill_timestamp_seconds', value: timestampOf(drillAt) },
  ]
}

function withdrawalSamples(money: MoneyState, state: string, now: Date): Sample[] {
  const open = money.withdrawals.find((each) => each.state === state)
  const labels = { state }
  return [
    { name: 'cotton_withdrawals', labels, value: open?.count ?? 0 },
    { name: 'cotton_withdrawals_cotton', labels, value: cottonOf(open?.amount ?? 0n) },
    { name: 'cotton_withdrawal_oldest_age_seconds', labels, value: ageOf(oldestOf(money, open), now) },
  ]
}

/** When the oldest withdrawal was requested that does not wait for its player. Only the signer reads which of them do. */
function oldestOf({ signer }: MoneyState, open: OpenWithdrawals | undefined): Date | null {
  const payable = open?.state === 'approved' ? signer?.oldestPayable : undefined
  if (!open || payable === null) return null
  // The signer may have paid it since its last heartbeat.
  return payable && payable > open.oldest ? payable : open.oldest
}

function reserveSamples({ snapshot }: MoneyState): Sample[] {
  if (!snapshot) return []
  const { treasury, depositAccounts, cold, inFlight, deposited, pool, held, surplus, confirmed } = snapshot
  const places = { treasury, deposit_accounts: depositAccounts, cold, in_flight: inFlight }
  // The sum is what was owed at the slot of the check, as the console and the players' page show it.
  const owed = { deposited, pool, held, credited_later: -snapshot.creditedAhead }
  return [
    ...Object.entries(places).map(([place, amount]): Sample => ({
      name: 'cotton_reserve_cotton',
      labels: { place },
      value: cottonOf(amount),
    })),
    ...Object.entries(owed).map(([to, amount]): Sample => ({
      name: 'cotton_owed_cotton',
      labels: { to },
      value: cottonOf(amount),
    })),
    { name: 'cotton_reserve_surplus_cotton', value: cottonOf(surplus) },
    { name: 'cotton_reserve_breached', value: Number(confirmed) },
  ]
}

function treasurySamples({ treasury }: MoneyState): Sample[] {
  if (!treasury) return []
  const { tokens, lamports, alarms } = treasury
  const low = (asset: string, isLow: boolean): Sample => ({
    name: 'cotton_treasury_low',
    labels: { asset },
    value: Number(isLow),
  })
  return [
    { name: 'cotton_treasury_cotton', value: cottonOf(tokens) },
    { name: 'cotton_treasury_sol', value: toSol(lamports) },
    low('cotton', alarms.includes('tokens_low')),
    low('sol', alarms.includes('sol_low')),
  ]
}

function signerSamples({ signer }: MoneyState): Sample[] {
  const round: Sample = { name: 'cotton_signer_round_timestamp_seconds', value: timestampOf(signer?.at) }
  if (!signer) return [round]
  return [
    round,
    ...['lanes', 'history', 'ready'].map((stage): Sample => ({
      name: 'cotton_signer_stage',
      labels: { stage },
      value: Number(stage === signer.stage),
    })),
    { name: 'cotton_signer_start_timestamp_seconds', value: timestampOf(signer.startedAt) },
    { name: 'cotton_signer_resident_memory_bytes', value: signer.memoryBytes },
    { name: 'cotton_signer_cpu_seconds_total', value: signer.cpuSeconds },
  ]
}
