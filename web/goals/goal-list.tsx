import { MILESTONES, type Milestone, nextMilestones, progressOf, shareOf } from '#game/milestones.ts'
import warning from '#web/art/icons/warning.webp'
import { goalMessages } from '#web/messages/en-goals.ts'
import { Bar } from '#web/ui/bar.tsx'
import { Note } from '#web/ui/note.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { Badge } from './badge.tsx'
import { BadgeList } from './badge-list.tsx'
import { BoardSkeleton } from './board-skeleton.tsx'
import styles from './board.module.css'
import { Collections } from './collections.tsx'
import { HarvestGoal } from './harvest-goal.tsx'
import { HireGoalCard } from './hire-goal-card.tsx'
import { type Milestones, useMilestones } from './use-milestones.ts'

/** How many milestones are announced as the next ones. */
const NEXT_COUNT = 4

/** The content of the board: goals, milestones, collections. */
export function GoalList() {
  const { data, isError, refetch } = useMilestones()
  if (data) return <Goals {...data} />
  if (!isError) return <BoardSkeleton />
  return (
    <div className={styles.body}>
      <Note tone="bad" picture={warning} role="alert">
        {goalMessages.failed}
      </Note>
      <RetryButton onClick={() => void refetch()} />
    </div>
  )
}

function Goals({ facts, granted }: Milestones) {
  const next = nextMilestones(facts)
    .filter(({ kind }) => kind !== 'harvest')
    .slice(0, NEXT_COUNT)
  return (
    <div className={styles.body}>
      <div className={styles.goals}>
        <HireGoalCard facts={facts} />
        <HarvestGoal facts={facts} />
      </div>
      {next.length > 0 ? (
        <div>
          <h3 className={styles.heading}>{goalMessages.nextUp}</h3>
          <ul className={styles.next}>
            {next.map((milestone) => (
              <NextMilestone key={milestone.code} milestone={milestone} facts={facts} />
            ))}
          </ul>
        </div>
      ) : null}
      <div>
        <h3 className={styles.heading}>{goalMessages.reached(granted.length, MILESTONES.length)}</h3>
        <BadgeList granted={granted} next={[]} />
      </div>
      <Collections facts={facts} />
    </div>
  )
}

function NextMilestone({ milestone, facts }: { milestone: Milestone; facts: Milestones['facts'] }) {
  const { have, need } = progressOf(milestone, facts)
  const title = goalMessages.titleOf(milestone)
  return (
    <li>
      <Badge milestone={milestone} isLocked />
      <span className={styles.nextText}>
        <b>{title}</b>
        <Bar
          size="small"
          tone="leaf"
          percent={shareOf(milestone, facts) * 100}
          label={title}
          caption={goalMessages.count(Number(have), Number(need))}
        />
      </span>
    </li>
  )
}
