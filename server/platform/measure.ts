/**
 * What a part of the program has just done. The parts do not know who measures: the signer loads this file, but no metrics
 * library.
 */
export type Measurement =
  | { of: 'batch'; action: string; size: number; tookMs: number }
  | { of: 'round'; name: string; ok: boolean; tookMs: number; at: Date }
  | { of: 'pool_wait'; pool: string; tookMs: number }
  | { of: 'rpc'; node: string; ok: boolean }
  | { of: 'slot'; slot: bigint; at: Date }
  | { of: 'unread'; ageMs: number }
  | { of: 'notification'; delayMs: number }
  | { of: 'bus'; connected: boolean }
  | { of: 'sockets'; open: number }
  | { of: 'webhook'; ok: boolean }

type Listener = (measurement: Measurement) => void

const listeners = new Set<Listener>()

/** Reports a measurement to every listener. Without listeners it costs nothing. */
export function measure(measurement: Measurement): void {
  for (const listener of listeners) listener(measurement)
}

/** Calls `listener` for each measurement, until the returned function is called. */
export function onMeasurement(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The connections of a pool now. `waiting` counts requests for a connection. */
export type PoolStats = { name: string; total: number; idle: number; waiting: number }

/** The open connection pools of this process. */
export const openPools = new Set<() => PoolStats>()
