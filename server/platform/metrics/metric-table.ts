/**
 * The roles that serve metrics. On one machine they have ports in a row, in this order. The signer accepts no connections: the
 * watcher serves what it recorded.
 */
export const METRICS_ROLES = ['api', 'watcher', 'local-chain'] as const
export type MetricRole = (typeof METRICS_ROLES)[number]

export type MetricRow = {
  type: 'counter' | 'gauge' | 'histogram'
  /** The roles that serve it. */
  roles: readonly MetricRole[]
  /** A sentence without its full stop: the help text, and the description in docs/operate/monitoring.md. */
  help: string
  labels?: readonly string[]
  buckets?: readonly number[]
}

// A claim takes 1 to 20 ms, a batch under load up to 200. The last buckets are above every timeout.
const CALL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
// Rounds call the chain, whose nodes have seconds to answer.
const ROUND_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

const WITH_DATABASE = ['api', 'watcher'] as const

const PROCESS_METRICS = {
  cotton_build_info: {
    type: 'gauge',
    roles: METRICS_ROLES,
    labels: ['version', 'role'],
    help: '1, with the version of the game',
  },
  cotton_db_connections: {
    type: 'gauge',
    roles: WITH_DATABASE,
    labels: ['pool', 'state'],
    help: 'Open database connections, `idle` or `busy`',
  },
  cotton_db_waiting_requests: {
    type: 'gauge',
    roles: WITH_DATABASE,
    labels: ['pool'],
    help: 'Requests that wait for a free database connection',
  },
  cotton_db_wait_seconds: {
    type: 'histogram',
    roles: WITH_DATABASE,
    labels: ['pool'],
    buckets: CALL_SECONDS,
    help: 'How long a transaction waited for a database connection',
  },
  cotton_rounds_total: {
    type: 'counter',
    roles: WITH_DATABASE,
    labels: ['round', 'outcome'],
    help: 'Rounds of background work, `ok` or `failed`',
  },
  cotton_round_duration_seconds: {
    type: 'histogram',
    roles: WITH_DATABASE,
    labels: ['round'],
    buckets: ROUND_SECONDS,
    help: 'How long a round of background work took',
  },
  cotton_round_success_timestamp_seconds: {
    type: 'gauge',
    roles: WITH_DATABASE,
    labels: ['round'],
    help: 'When a round of background work last succeeded; before its first success, when it first failed',
  },
  cotton_rpc_requests_total: {
    type: 'counter',
    roles: WITH_DATABASE,
    labels: ['node', 'outcome'],
    help: 'Requests to a Solana node, `ok` or `failed`',
  },
} as const satisfies Record<string, MetricRow>

const PLAYER_METRICS = {
  http_requests_total: {
    type: 'counter',
    roles: ['api'],
    labels: ['method', 'route', 'status'],
    help: 'Requests answered',
  },
  http_request_duration_seconds: {
    type: 'histogram',
    roles: ['api'],
    labels: ['method', 'route'],
    buckets: CALL_SECONDS,
    help: 'Time from a request to its response',
  },
  cotton_batch_size: {
    type: 'histogram',
    roles: ['api'],
    labels: ['action'],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    help: 'Requests that share a transaction',
  },
  cotton_batch_duration_seconds: {
    type: 'histogram',
    roles: ['api'],
    labels: ['action'],
    buckets: CALL_SECONDS,
    help: 'How long a batch of requests took',
  },
  cotton_websockets: { type: 'gauge', roles: ['api'], help: 'Open WebSockets of players' },
  cotton_bus_connected: {
    type: 'gauge',
    roles: ['api'],
    help: '1 while this api has its connection for notifications of other apis. Otherwise it polls',
  },
  cotton_bus_delay_seconds: {
    type: 'histogram',
    roles: ['api'],
    buckets: CALL_SECONDS,
    help: 'Time from a notification of a change until Postgres delivers it (LISTEN lag)',
  },
} as const satisfies Record<string, MetricRow>

/** One process serves what describes the whole game: several apis would serve it several times. */
const WATCHER = ['watcher'] as const

export const MONEY_METRICS = {
  cotton_withdrawals: {
    type: 'gauge',
    roles: WATCHER,
    labels: ['state'],
    help: 'Open withdrawals by state',
  },
  cotton_withdrawals_cotton: {
    type: 'gauge',
    roles: WATCHER,
    labels: ['state'],
    help: 'Amount of the open withdrawals by state, in $COTTON',
  },
  cotton_withdrawal_oldest_age_seconds: {
    type: 'gauge',
    roles: WATCHER,
    labels: ['state'],
    help: 'Age of the oldest open withdrawal in a state that does not wait for its player; 0 without any',
  },
  cotton_withdrawals_paused: { type: 'gauge', roles: WATCHER, help: '1 while withdrawals are paused' },
  cotton_reserve_cotton: {
    type: 'gauge',
    roles: WATCHER,
    labels: ['place'],
    help: 'Tokens of the game by place: `treasury`, `deposit_accounts` (not swept yet), `cold` or `in_flight`, in $COTTON',
  },
  cotton_owed_cotton: {
    type: 'gauge',
    roles: WATCHER,
    labels: ['to'],
    help: 'What the game owes: `deposited`, `pool`, `held`, less what was `credited_later` (negative), in $COTTON',
  },
  cotton_reserve_surplus_cotton: {
    type: 'gauge',
    roles: WATCHER,
    help: 'Tokens minus what is owed, in $COTTON; negative if tokens are missing',
  },
  cotton_reserve_breached: { type: 'gauge', roles: WATCHER, help: '1 while a shortage is confirmed' },
  cotton_reserve_checked_timestamp_seconds: {
    type: 'gauge',
    roles: WATCHER,
    help: 'When the reserve was last checked; 0 if never',
  },
  cotton_reserve_check_duration_seconds: {
    type: 'gauge',
    roles: WATCHER,
    help: 'How long the last check of the reserve took; 0 if there was none',
  },
  cotton_sweep_oldest_age_seconds: {
    type: 'gauge',
    roles: WATCHER,
    help: 'Age of the oldest sweep in flight; 0 without any. One that expires is signed again',
  },
  cotton_sweep_landed_timestamp_seconds: {
    type: 'gauge',
    roles: WATCHER,
    help: 'When the newest sweep that has landed was signed; 0 without any',
  },
  cotton_deposits_pending: {
    type: 'gauge',
    roles: WATCHER,
    help: 'Deposits that have arrived and are not credited yet',
  },
  cotton_deposit_oldest_age_seconds: {
    type: 'gauge',
    roles: WATCHER,
    help: 'Time since the watcher first saw the oldest deposit that is not credited yet; 0 without any',
  },
  cotton_deposit_unread_age_seconds: {
    type: 'gauge',
    roles: WATCHER,
    help: 'How long the histories that nodes show have not explained what a deposit address holds; 0 without any',
  },
  cotton_deposit_addresses_free: {
    type: 'gauge',
    roles: WATCHER,
    help: 'Deposit addresses that the next players can get, counted up to 1,000',
  },
  cotton_treasury_cotton: { type: 'gauge', roles: WATCHER, help: 'Tokens in the treasury, in $COTTON' },
  cotton_treasury_sol: { type: 'gauge', roles: WATCHER, help: 'SOL in the treasury, which pays fees' },
  cotton_treasury_low: {
    type: 'gauge',
    roles: WATCHER,
    labels: ['asset'],
    help: '1 while the treasury is below its floor of `cotton` or `sol`',
  },
  cotton_signer_stage: {
    type: 'gauge',
    roles: WATCHER,
    labels: ['stage'],
    help: '1 for the current stage of the signer: `lanes`, `history`, or `ready`, in which it signs',
  },
  cotton_signer_round_timestamp_seconds: {
    type: 'gauge',
    roles: WATCHER,
    help: 'When the signer last recorded a heartbeat, every half minute; 0 if never',
  },
  cotton_signer_start_timestamp_seconds: { type: 'gauge', roles: WATCHER, help: 'When the signer started' },
  cotton_signer_resident_memory_bytes: { type: 'gauge', roles: WATCHER, help: 'Memory of the signer' },
  cotton_signer_cpu_seconds_total: {
    type: 'counter',
    roles: WATCHER,
    help: 'CPU time of the signer since its start',
  },
  cotton_chain_slot: { type: 'gauge', roles: WATCHER, help: 'The newest finalized slot of the chain' },
  cotton_chain_slot_timestamp_seconds: {
    type: 'gauge',
    roles: WATCHER,
    help: 'When the watcher last saw a newer finalized slot; 0 if never',
  },
  cotton_backup_timestamp_seconds: {
    type: 'gauge',
    roles: WATCHER,
    help: 'The moment of the last backup; 0 if there is none',
  },
  cotton_backup_failed: {
    type: 'gauge',
    roles: WATCHER,
    help: '1 while the last attempt to make a backup failed',
  },
  cotton_drill_timestamp_seconds: {
    type: 'gauge',
    roles: WATCHER,
    help: 'When a backup was last restored in a drill; 0 if never, or if the last drill failed',
  },
  cotton_alerts: {
    type: 'gauge',
    roles: WATCHER,
    labels: ['alert'],
    help: '1 for each alert that was posted to `ALERT_WEBHOOK_URL` and is not over',
  },
  cotton_alert_deliveries_total: {
    type: 'counter',
    roles: WATCHER,
    labels: ['outcome'],
    help: 'Messages to `ALERT_WEBHOOK_URL`, `ok` or `failed`',
  },
} as const satisfies Record<string, MetricRow>

/** Each metric of the game, besides those that prom-client adds about Node and the process. */
export const METRICS = { ...PLAYER_METRICS, ...MONEY_METRICS, ...PROCESS_METRICS }

export type MetricName = keyof typeof METRICS

/** The tables of docs/operate/monitoring.md. */
export const METRIC_SECTIONS: { title: string; metrics: Record<string, MetricRow> }[] = [
  { title: 'Players', metrics: PLAYER_METRICS },
  { title: 'Money', metrics: MONEY_METRICS },
  { title: 'Processes', metrics: PROCESS_METRICS },
]
