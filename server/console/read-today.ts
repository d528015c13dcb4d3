import { MOST_COUNTED, type readToday as route } from '#contract/console/today.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { baseUnits, formatCount, formatExact } from '#game/cotton.ts'
import { dailyBudget } from '#game/credit.ts'
import { type AlertName, findAlerts } from '#server/monitoring/find-alerts.ts'
import { type MoneyState, readMoney, readReviewIds } from '#server/monitoring/read-money.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { readCreditSupply } from '#server/solvency/read-credit-supply.ts'
import { OPEN_STATES } from '#server/withdrawals/open-states.ts'
import { PLAYER_REASONS } from '#server/withdrawals/player-reasons.ts'
import { standingOf } from '#server/withdrawals/reserve-standing.ts'
import { readRewardDay } from '#server/withdrawals/reward-day.ts'
import { exact, instant, instantOrNull } from './exact.ts'

type Today = ConsoleReply<typeof route>
type Problem = Today['problems'][number]
type Queue = Today['queue']

const PAGES: Readonly<Record<AlertName, Problem['page']>> = {
  WithdrawalInReview: 'withdrawals',
  WithdrawalsPaused: 'withdrawals',
  TokensMissing: 'books',
  ReserveUnchecked: 'health',
  TreasuryLowOnTokens: 'books',
  TreasuryLowOnSol: 'books',
  SignerSilent: 'health',
  SignerNotReady: 'health',
  BackupFailed: 'health',
  BackupOld: 'health',
  MoneyUnmeasured: 'health',
}

const HOUR_MS = 3_600_000

/** A payout that was signed and not settled for this long needs somebody who finds out why. */
const STUCK_MS = HOUR_MS / 4
const OLD_REVIEW_MS = 12 * HOUR_MS

const countActs = sql({
  name: 'console-count-waiting-acts',
  row: rowOf<{ waiting: number; oldest: Date | null }>(),
  text: `select count(*)::integer as waiting, min(at) as oldest
    from (select at from operator_acts where state = 'waiting' order by at limit ${MOST_COUNTED}) first`,
})

type SignedPayouts = { count: number; amount: bigint; oldest: Date | null }

// There are no more signed payouts than lanes.
const readStuck = sql({
  name: 'console-read-stuck-payouts',
  params: { before: 'timestamptz' },
  row: rowOf<SignedPayouts>(),
  text: ({ before }) =>
    `select count(*)::integer as count, coalesce(sum(w.amount), 0)::bigint as amount, min(p.signed_at) as oldest
     from unnest(array['signed', 'sent']) as asked (state) cross join lateral (
       select o.id, o.deposited + o.earned as amount from withdrawals o
       where o.state = asked.state order by o.requested_at, o.id limit 100
     ) w join payouts p on p.withdrawal_id = w.id where p.signed_at < ${before}`,
})

// Those that wait for their player, maybe for weeks, need no operator.
const readPostponed = sql({
  name: 'console-read-postponed',
  params: { playerReasons: 'text[]' },
  row: rowOf<{ count: number }>(),
  text: ({ playerReasons }) => `select count(*)::integer as count from (
      select from withdrawals where state = 'approved' and cancelled_at is null and retry_at is not null
        and not reasons && ${playerReasons} limit ${MOST_COUNTED}
    ) first`,
})

/** What is wrong, the worst first, and the money of today. The caller reads it in one transaction. */
export async function readToday(
  db: Queryable,
  { now, isLocal }: { now: Date; isLocal: boolean },
): Promise<Today> {
  const [state, supply, budget, [acts], reviewIds, [postponed], [stuck]] = await Promise.all([
    readMoney(db, now),
    readCreditSupply(db),
    readRewardDay(db, now),
    db.rows(countActs),
    readReviewIds(db),
    db.rows(readPostponed, { playerReasons: [...PLAYER_REASONS] }),
    db.rows(readStuck, { before: new Date(now.getTime() - STUCK_MS) }),
  ])
  const queue = toQueue(state)
  const { pause, snapshot } = state
  const alerts = findAlerts(state, { now, reviewIds })
  const problems: Problem[] = [
    ...alerts.map(({ name, severity, summary }) => ({ name, severity, summary, page: PAGES[name] })),
    ...findDelays(state, { now, stuck, oldestAct: acts?.oldest ?? null, postponed: postponed?.count ?? 0 }),
    ...findUnconfirmed(state, now),
    ...(isLocal ? [] : findNoBackup(state)),
  ]
  return {
    at: instant(now),
    problems: problems.toSorted((a, b) => rank(a) - rank(b)),
    queue,
    pause: pause && { id: pause.id, reason: pause.why, since: instant(pause.since) },
    reserve: {
      standing: standingOf(snapshot, now),
      at: instantOrNull(snapshot?.at ?? null),
      surplus: snapshot ? exact(snapshot.surplus) : null,
    },
    budget: {
      total: exact(budget?.budget ?? dailyBudget(baseUnits(supply.pool))),
      used: exact(budget?.spent ?? 0n),
    },
    pendingDeposits: state.pendingDeposits,
    waitingActs: acts?.waiting ?? 0,
  }
}

const rank = ({ severity }: Problem): number => (severity === 'critical' ? 0 : 1)

const toQueue = ({ withdrawals }: MoneyState): Queue =>
  OPEN_STATES.flatMap((state) =>
    withdrawals
      .filter((each) => each.state === state)
      .map(({ count, amount, oldest }) => ({ state, count, amount: exact(amount), oldest: instant(oldest) })),
  )

type Delays = { now: Date; stuck: SignedPayouts | undefined; oldestAct: Date | null; postponed: number }

function findDelays({ withdrawals }: MoneyState, { now, stuck, oldestAct, postponed }: Delays): Problem[] {
  const olderThan = (at: Date | undefined | null, ms: number): at is Date =>
    !!at && now.getTime() - at.getTime() > ms
  const waiting = withdrawals.find(({ state }) => state === 'review')
  const problems: (Problem | false)[] = [
    !!stuck?.oldest && {
      name: 'PayoutStuck',
      severity: 'warning',
      summary: `${stuck.count} signed payouts of ${formatExact(stuck.amount)} $COTTON are not settled, the oldest signed at ${stuck.oldest.toISOString()}. Check the nodes and the signer.`,
      page: 'withdrawals',
    },
    waiting !== undefined &&
      olderThan(waiting.oldest, OLD_REVIEW_MS) && {
        name: 'ReviewOld',
        severity: 'warning',
        summary: `A withdrawal has waited for an operator since ${waiting.oldest.toISOString()}. Approve or reject it.`,
        page: 'withdrawals',
      },
    postponed > 0 && {
      name: 'PayoutPostponed',
      severity: 'warning',
      summary: `${postponed < MOST_COUNTED ? '' : 'At least '}${formatCount(postponed)} approved withdrawals could not be paid yet and are tried again. Their reasons say why.`,
      page: 'withdrawals',
    },
    olderThan(oldestAct, STUCK_MS) && {
      name: 'ActWaiting',
      severity: 'critical',
      summary: `A signed act waits for the signer since ${oldestAct.toISOString()}. Check that the signer runs.`,
      page: 'log',
    },
  ]
  return problems.filter((problem) => problem !== false)
}

/** A shortage that the next reserve checks confirm or end. Without it the page would say that every check has passed. */
function findUnconfirmed({ snapshot }: MoneyState, now: Date): Problem[] {
  if (!snapshot || standingOf(snapshot, now) !== 'unconfirmed') return []
  const missing = formatExact(-snapshot.surplus)
  const summary = `The last reserve check found ${missing} $COTTON less than the game owes. A node may be behind: the next checks decide.`
  return [{ name: 'TokensUnconfirmed', severity: 'warning', summary, page: 'books' }]
}

function findNoBackup({ backupAt, backupFailedAt }: MoneyState): Problem[] {
  if (backupAt || backupFailedAt) return []
  const summary = 'No backup was ever made. Set BACKUP_EVERY.'
  return [{ name: 'BackupOld', severity: 'warning', summary, page: 'health' }]
}
