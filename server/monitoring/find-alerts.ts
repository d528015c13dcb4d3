import { formatCount, formatExact } from '#game/cotton.ts'
import { formatSol } from '#server/platform/format-sol.ts'
import { OLD_BACKUP_MS } from '#server/platform/backup-settings.ts'
import { standingOf } from '#server/withdrawals/reserve-standing.ts'
import type { MoneyState } from './read-money.ts'

/** Something that waits for the operator. The names and the runbook are those of deploy/prometheus/alerts.yml. */
export type Alert = {
  name: AlertName
  severity: 'critical' | 'warning'
  /** A sentence for the operator. It names no player and no wallet. */
  summary: string
  /** How long it must last before it is posted: a restart of a role takes seconds. */
  afterMs: number
}

export type AlertName =
  | 'WithdrawalInReview'
  | 'WithdrawalsPaused'
  | 'TokensMissing'
  | 'ReserveUnchecked'
  | 'TreasuryLowOnTokens'
  | 'TreasuryLowOnSol'
  | 'SignerSilent'
  | 'SignerNotReady'
  | 'BackupFailed'
  | 'BackupOld'
  | 'MoneyUnmeasured'

const RESTART_MS = 60_000
/** A signer that reads a long history of its treasury takes minutes. */
const PREPARATION_MS = 15 * 60_000

/** Where the operator reads what to do. */
export const RUNBOOK = 'docs/runbooks/alerts.md'

/** Everything that waits for the operator now. `reviewIds` are the oldest withdrawals in review. */
export function findAlerts(state: MoneyState, { now, reviewIds }: FindOptions): Alert[] {
  const { pause, snapshot, treasury, signer, backupAt, backupFailedAt } = state
  const review = state.withdrawals.find((each) => each.state === 'review')
  const standing = standingOf(snapshot, now)
  const found: (Alert | false)[] = [
    review !== undefined && {
      name: 'WithdrawalInReview',
      severity: 'warning',
      summary: `${countOf(review.count)} for your approval, ${formatExact(review.amount)} $COTTON in all, the oldest since ${review.oldest.toISOString()}: ${reviewIds.join(', ')}${review.count > reviewIds.length ? ' and others' : ''}.`,
      afterMs: 0,
    },
    pause !== null && {
      name: 'WithdrawalsPaused',
      severity: 'critical',
      summary: `Withdrawals are paused since ${pause.since.toISOString()}. "npm run ops -- status" says why.`,
      afterMs: 0,
    },
    snapshot?.confirmed === true && {
      name: 'TokensMissing',
      severity: 'critical',
      summary: `${formatExact(-snapshot.surplus)} $COTTON are missing: the game owes more than it has. Withdrawals are paused.`,
      afterMs: 0,
    },
    standing === 'unseen' && {
      name: 'ReserveUnchecked',
      severity: 'critical',
      summary: `The reserve was ${snapshot ? `last checked at ${snapshot.at.toISOString()}` : 'never checked'}. Until it is checked, no payout is signed.`,
      afterMs: RESTART_MS,
    },
    treasury?.alarms.includes('tokens_low') === true && {
      name: 'TreasuryLowOnTokens',
      severity: 'warning',
      summary: `The treasury has ${formatExact(treasury.tokens)} $COTTON left, less than its floor. Top it up.`,
      afterMs: 0,
    },
    treasury?.alarms.includes('sol_low') === true && {
      name: 'TreasuryLowOnSol',
      severity: 'warning',
      summary: `The treasury has ${formatSol(treasury.lamports)} SOL left for fees, less than its floor. Top it up.`,
      afterMs: 0,
    },
    (signer === null || signer.silent) && {
      name: 'SignerSilent',
      severity: 'critical',
      summary: `The signer ${signer ? `was last seen at ${signer.at.toISOString()}` : 'has never run'}. Nobody pays withdrawals.`,
      afterMs: RESTART_MS,
    },
    signer?.silent === false &&
      signer.stage !== 'ready' && {
        name: 'SignerNotReady',
        severity: 'warning',
        summary: `The signer has run since ${signer.startedAt.toISOString()}, and signs nothing new yet. "npm run ops -- status" says why.`,
        afterMs: PREPARATION_MS,
      },
    backupFailedAt !== null && {
      name: 'BackupFailed',
      severity: 'warning',
      summary: `The backup of ${backupFailedAt.toISOString()} failed, and none was made since.`,
      afterMs: 0,
    },
    // A process that is killed records no failure. Who makes backups in another way has never made one here.
    backupAt !== null &&
      backupFailedAt === null &&
      now.getTime() - backupAt.getTime() > OLD_BACKUP_MS && {
        name: 'BackupOld',
        severity: 'warning',
        summary: `The last backup is of ${backupAt.toISOString()}. Make one, and see why the schedule makes none.`,
        afterMs: 0,
      },
  ]
  return found.filter((alert) => alert !== false)
}

/** While the database is unreachable nothing else can be found. */
export const databaseOutage = (since: Date): Alert => ({
  name: 'MoneyUnmeasured',
  severity: 'critical',
  summary: `The watcher cannot reach the database since ${since.toISOString()}. Deposits are not credited, and nobody is paid.`,
  afterMs: RESTART_MS,
})

type FindOptions = { now: Date; reviewIds: readonly string[] }

const countOf = (count: number) =>
  count === 1 ? 'A withdrawal waits' : `${formatCount(count)} withdrawals wait`
