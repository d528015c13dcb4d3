import { Link } from 'react-router'
import { type Cotton, formatCotton } from '#game/cotton.ts'
import { coveredPercent } from '#web/api/covered-percent.ts'
import { type Reserve, type Transparency, useTransparency } from '#web/api/use-transparency.ts'
import { paths } from '#web/paths.ts'
import { Bar } from '#web/ui/bar.tsx'
import { formatAmount } from '#web/messages/amount.ts'
import { withdrawalMessages } from '#web/messages/en-withdrawals.ts'
import { transparencyMessages as text } from '#web/messages/en-transparency.ts'
import { formatMoment } from '#web/messages/locale.ts'
import { checkLimits } from './check-limits.ts'
import type { Withdrawable } from './use-withdrawals.ts'
import styles from './withdraw-meter.module.css'

/** In one line what a withdrawal depends on, the reserve and today's budget, with the reasons on request (N-01). */
export function WithdrawMeter() {
  const { data } = useTransparency()
  const reserve = data?.reserve ?? null
  return (
    <section className={styles.box} aria-label={text.meter}>
      <details className={styles.why}>
        <summary>
          <span>{text.meterLine(reservePercent(reserve), data?.budget.left ?? null)}</span>
          <b>{text.why}</b>
        </summary>
        <p>{text.whyText}</p>
        <ReserveMeter reserve={reserve} />
        <p className={styles.line}>
          <span>{text.budgetLeft}</span>
          <b className="num">{data ? formatCotton(data.budget.left) : '–'}</b>
        </p>
        <Link to={paths.transparency}>{text.link}</Link>
      </details>
    </section>
  )
}

/** Not of an old check, of one that others have to confirm, nor of a standing that only a newer server knows. */
const isKnown = (reserve: Transparency['reserve']): reserve is Reserve =>
  reserve?.standing === 'covered' || reserve?.standing === 'short'

const reservePercent = (reserve: Transparency['reserve']): string | null =>
  isKnown(reserve) ? text.percent(coveredPercent(reserve)) : null

function ReserveMeter({ reserve }: { reserve: Transparency['reserve'] }) {
  if (!isKnown(reserve)) {
    return <Bar size="large" tone="stone" percent={0} caption={text.meterUnknown} label={text.meter} />
  }
  const percent = coveredPercent(reserve)
  return (
    <Bar
      size="large"
      tone={reserve.standing === 'covered' ? 'leaf' : 'red'}
      percent={percent ?? 0}
      caption={text.meterCaption(text.percent(percent))}
      label={text.meter}
    />
  )
}

/** Whether this withdrawal fits right now. */
export function limitMessage(amount: Cotton | null, limits: Withdrawable): string {
  const check = checkLimits(amount, limits)
  switch (check.kind) {
    case 'earned':
      return text.limitChecks.earned(check.earned)
    case 'tooSmall':
      return withdrawalMessages.tooSmall(formatAmount(limits.minimum))
    case 'overLimit':
      return text.limitChecks.overLimit(check.max, formatMoment(limits.budgetResetsAt))
    default:
      return text.limitChecks[check.kind]
  }
}
