import { formatCotton } from '#game/cotton.ts'
import type { Transparency } from '#web/api/use-transparency.ts'
import info from '#web/art/icons/info.webp'
import { classNames } from '#web/ui/class-names.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { frameBody, Panel } from '#web/ui/frame.tsx'
import { Bar } from '#web/ui/bar.tsx'
import { Note } from '#web/ui/note.tsx'
import { transparencyMessages as text } from '#web/messages/en-transparency.ts'
import { formatMoment } from '#web/messages/locale.ts'
import styles from './transparency.module.css'

/** How much earned credit can still be withdrawn today. */
export function BudgetPanel({ budget }: { budget: Transparency['budget'] }) {
  const { total, left, perWallet, resetsAt } = budget
  const percent = usedPercent(budget)
  return (
    <Panel title={text.budget} id="budget">
      <div className={classNames(frameBody, styles.list)}>
        <Bar
          size="large"
          tone="sun"
          percent={percent ?? 0}
          caption={text.used(percent)}
          label={text.usedLabel}
        />
        <Facts>
          <Fact name={text.left}>{formatCotton(left)}</Fact>
          <Fact name={text.total}>{formatCotton(total)}</Fact>
          <Fact name={text.perWallet}>{formatCotton(perWallet)}</Fact>
          <Fact name={text.resets}>
            <time dateTime={resetsAt}>{formatMoment(resetsAt)}</time>
          </Fact>
        </Facts>
        <Note picture={info} className={styles.after}>
          {total === 0n ? text.budgetEmpty : text.budgetText}
        </Note>
      </div>
    </Panel>
  )
}

/** The used share of the budget in whole percent, rounded up; null if it is unknown. */
function usedPercent({ total, used }: Transparency['budget']): number | null {
  if (total === null || used === null) return null
  return total === 0n ? 0 : Number((used * 100n + total - 1n) / total)
}
