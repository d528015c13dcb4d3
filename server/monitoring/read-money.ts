import { OFFER } from '#server/deposits/retire-addresses.ts'
import { hasFailedSince } from '#server/platform/backup-settings.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { readSignerState, type SignerState } from '#server/signer/signer-state.ts'
import { readTreasuryState, type TreasuryState } from '#server/signer/sweeps/watch-treasury.ts'
import { readSnapshot, type ReserveSnapshot } from '#server/solvency/reserve-snapshot.ts'
import { type Pause, readPause } from '#server/withdrawals/withdrawal-pause.ts'

/** The open withdrawals of one state. */
export type OpenWithdrawals = { state: string; count: number; amount: bigint; oldest: Date }

/** Where the money is and what waits, as metrics and alerts show it. */
export type MoneyState = {
  withdrawals: OpenWithdrawals[]
  pause: Pause | null
  snapshot: ReserveSnapshot | null
  treasury: TreasuryState | null
  signer: SignerState | null
  /** When the oldest sweep in flight was signed. One that expires is signed again. */
  oldestSweep: Date | null
  /** When the newest sweep that has landed was signed. */
  landedSweep: Date | null
  pendingDeposits: number
  /** When the watcher first saw the oldest pending deposit. */
  oldestDeposit: Date | null
  freeAddresses: number
  /** Null if none was ever made. */
  backupAt: Date | null
  /** When a backup failed, if none was made since. */
  backupFailedAt: Date | null
  /** When the last drill passed; null if it failed. */
  drillAt: Date | null
  /** When the last drill failed; null if it passed. */
  drillFailedAt: Date | null
}

const readOpen = sql({
  name: 'monitoring-read-open-withdrawals',
  row: rowOf<OpenWithdrawals>(),
  text: `select state, count(*)::int as count, sum(deposited + earned)::bigint as amount, min(requested_at) as oldest
    from withdrawals where state not in ('finalized', 'refunded') group by state`,
})

type Waiting = Pick<
  MoneyState,
  'oldestSweep' | 'landedSweep' | 'pendingDeposits' | 'oldestDeposit' | 'freeAddresses'
>

// The condition on the time selects the index on it, of which the minimum reads one row.
const readWaiting = sql({
  name: 'monitoring-read-waiting',
  row: rowOf<Waiting>(),
  text: `select (select min(at) from sweeps where state = 'signed') as "oldestSweep",
    (select max(at) from sweeps where state = 'finalized') as "landedSweep",
    (select count(*)::int from receipts where state = 'pending') as "pendingDeposits",
    (select min(seen_at) from receipts where state = 'pending' and seen_at > '-infinity') as "oldestDeposit",
    (select count(*)::int from (
       select from deposit_addresses where wallet is null and retired_at is null and exists (${OFFER}) limit 1000
     ) free) as "freeAddresses"`,
})

const readLast = sql({
  name: 'monitoring-read-last-backups',
  row: rowOf<{ name: string; value: { at: string; ok?: boolean; after?: string | null } }>(),
  text: `select name, value from settings where name in ('last_backup', 'last_backup_failure', 'last_drill')`,
})

const readOldestInReview = sql({
  name: 'alerts-read-review-ids',
  row: rowOf<{ id: string }>(),
  text: `select id::text from withdrawals where state = 'review' order by requested_at, id limit 3`,
})

/** The withdrawals that an alert names: the oldest in review, at most three. */
export async function readReviewIds(db: Queryable): Promise<string[]> {
  return (await db.rows(readOldestInReview)).map(({ id }) => id)
}

/** Reads the state of the money. Requires the watcher's login. */
export async function readMoney(db: Queryable, now: Date): Promise<MoneyState> {
  const [withdrawals, pause, snapshot, treasury, signer, [waiting], last] = await Promise.all([
    db.rows(readOpen),
    readPause(db),
    readSnapshot(db),
    readTreasuryState(db),
    readSignerState(db, now),
    db.rows(readWaiting),
    db.rows(readLast),
  ])
  const recordOf = (name: string) => last.find((row) => row.name === name)?.value
  const lastOf = (name: string, passed = true): Date | null => {
    const value = recordOf(name)
    return value && (value.ok !== false) === passed ? new Date(value.at) : null
  }
  const failure = recordOf('last_backup_failure')
  return {
    withdrawals,
    pause,
    snapshot,
    treasury,
    signer,
    ...waiting!,
    backupAt: lastOf('last_backup'),
    backupFailedAt: failure && hasFailedSince(failure, recordOf('last_backup')) ? new Date(failure.at) : null,
    drillAt: lastOf('last_drill'),
    drillFailedAt: lastOf('last_drill', false),
  }
}
