import { onMeasurement, type Measurement } from '#server/platform/measure.ts'
import type { Metrics } from './registry.ts'

/** A slot that is further back shows that the newest one did not exist: a node has invented it. */
const FURTHEST_BACK_SLOTS = 9_000n

/** Counts in `metrics` what the parts of this process report, until the returned function is called. */
export function recordMeasurements(metrics: Metrics): () => void {
  let newestSlot = -1n
  const rounds = new Set<string>()
  // A series that starts at 1 shows no increase.
  for (const outcome of ['ok', 'failed'])
    metrics.set({ name: 'cotton_alert_deliveries_total', labels: { outcome }, value: 0 })
  return onMeasurement((measurement) => {
    if (measurement.of === 'round') return recordRound(metrics, measurement, rounds)
    if (measurement.of !== 'slot') return record(metrics, measurement)
    if (measurement.slot <= newestSlot && measurement.slot >= newestSlot - FURTHEST_BACK_SLOTS) return
    newestSlot = measurement.slot
    metrics.set({ name: 'cotton_chain_slot', value: Number(newestSlot) })
    metrics.set({ name: 'cotton_chain_slot_timestamp_seconds', value: secondsOf(measurement.at) })
  })
}

const outcomeOf = (ok: boolean) => (ok ? 'ok' : 'failed')
const secondsOf = (date: Date) => date.getTime() / 1_000

type Round = Extract<Measurement, { of: 'round' }>

/** `known` are the rounds that have ended before. */
function recordRound(metrics: Metrics, { name: round, ok, tookMs, at }: Round, known: Set<string>): void {
  metrics.count('cotton_rounds_total', { round, outcome: outcomeOf(ok) })
  metrics.observe('cotton_round_duration_seconds', tookMs / 1_000, { round })
  const value = secondsOf(at)
  // Without a sample no alert would fire for work that never succeeds.
  if (ok || !known.has(round))
    metrics.set({ name: 'cotton_round_success_timestamp_seconds', labels: { round }, value })
  known.add(round)
}

function record(metrics: Metrics, measurement: Exclude<Measurement, { of: 'slot' | 'round' }>): void {
  switch (measurement.of) {
    case 'batch': {
      const { action, size, tookMs } = measurement
      metrics.observe('cotton_batch_size', size, { action })
      return metrics.observe('cotton_batch_duration_seconds', tookMs / 1_000, { action })
    }
    case 'pool_wait': {
      const { pool, tookMs } = measurement
      return metrics.observe('cotton_db_wait_seconds', tookMs / 1_000, { pool })
    }
    case 'rpc': {
      const { node, ok } = measurement
      return metrics.count('cotton_rpc_requests_total', { node, outcome: outcomeOf(ok) })
    }
    case 'unread':
      return metrics.set({ name: 'cotton_deposit_unread_age_seconds', value: measurement.ageMs / 1_000 })
    case 'notification':
      return metrics.observe('cotton_bus_delay_seconds', measurement.delayMs / 1_000)
    case 'bus':
      return metrics.set({ name: 'cotton_bus_connected', value: Number(measurement.connected) })
    case 'sockets':
      return metrics.set({ name: 'cotton_websockets', value: measurement.open })
    case 'webhook':
      return metrics.count('cotton_alert_deliveries_total', { outcome: outcomeOf(measurement.ok) })
  }
}
