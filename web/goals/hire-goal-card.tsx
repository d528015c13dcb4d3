import { Link } from 'react-router'
import { smallerOf, sumOf } from '#game/cotton.ts'
import { type MilestoneFacts, progressOf } from '#game/milestones.ts'
import { type HireGoal, nextHire } from '#game/next-hire.ts'
import { mapWorkerTypes, type WorkerType } from '#game/workers.ts'
import { useWorkerTypes } from '#web/api/use-worker-types.ts'
import { workerArt } from '#web/art/worker-art.ts'
import { goalMessages } from '#web/messages/en-goals.ts'
import { hirePath } from '#web/paths.ts'
import { Bar } from '#web/ui/bar.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import styles from './board.module.css'
import { forecastText } from './forecast-text.ts'
import { useIncome } from './use-income.ts'

/** The next hire on the way to a milestone: how much of its price is there, and when the rest will be. */
export function HireGoalCard({ facts }: { facts: MilestoneFacts }) {
  const available = useAvailable(facts.available)
  const goal = nextHire({ ...facts, available })
  return goal ? <Goal goal={goal} facts={facts} /> : null
}

/** How many pickers of each type can be hired now: as the live supply says, or as `before` said while that is unknown. */
function useAvailable(before: MilestoneFacts['available']): MilestoneFacts['available'] {
  const { types, isSample } = useWorkerTypes()
  const left = (type: WorkerType): number => {
    const available = isSample ? undefined : types?.find(({ workerType }) => workerType === type)?.available
    return available === undefined || Number.isNaN(available) ? before[type] : available
  }
  return mapWorkerTypes(left)
}

function Goal({ goal, facts }: { goal: HireGoal; facts: MilestoneFacts }) {
  const { milestone, workerType, price, owned } = goal
  const { balance, ready, ratePerHour } = useIncome()
  const have = sumOf([balance, ready])
  const { have: reached, need } = progressOf(milestone, facts)
  const title = goalMessages.hireTitle(workerType, owned)
  const caption = goalMessages.amounts(smallerOf(have, price), price)
  const isEnough = have >= price
  return (
    <div className={styles.goal}>
      <img className={styles.portrait} src={workerArt[workerType].face} width="76" height="76" alt="" />
      <div className={styles.goalHead}>
        <h3 className={styles.goalTitle}>
          <small>{goalMessages.nextHire}</small> {title}
        </h3>
        <p className={styles.goalText}>
          {reached + 1n >= need
            ? goalMessages.reaches
            : goalMessages.onTheWay(goalMessages.titleOf(milestone), Number(reached), Number(need))}
        </p>
      </div>
      <Bar
        size="large"
        tone="sun"
        className={styles.goalBar}
        percent={(Number(smallerOf(have, price)) / Number(price)) * 100}
        label={title}
        caption={caption}
        moving={isEnough}
      />
      <p className={styles.forecast}>
        {isEnough ? (
          <>
            <span>{balance >= price ? goalMessages.enough : goalMessages.enoughAfterClaim}</span>
            <Link className={buttonClass({ tone: 'sun', size: 'sm' })} to={hirePath(workerType)}>
              {goalMessages.hire(workerType)}
            </Link>
          </>
        ) : (
          forecastText({ have, need: price, ratePerHour })
        )}
      </p>
    </div>
  )
}
