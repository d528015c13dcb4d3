import { sumOf } from '#game/cotton.ts'
import { type MilestoneFacts, nextMilestones, shareOf } from '#game/milestones.ts'
import basket from '#web/art/icons/basket.webp'
import { goalMessages } from '#web/messages/en-goals.ts'
import { Bar } from '#web/ui/bar.tsx'
import styles from './board.module.css'
import { forecastText } from './forecast-text.ts'
import { useIncome } from './use-income.ts'

/** All that the player has claimed, and the next level of it. */
export function HarvestGoal({ facts }: { facts: MilestoneFacts }) {
  const level = nextMilestones(facts).find((milestone) => milestone.kind === 'harvest')
  const { ready, ratePerHour } = useIncome()
  const have = sumOf([facts.harvested, ready])
  const title = level ? goalMessages.harvestTitle(level.amount) : goalMessages.harvestDone
  return (
    <div className={styles.goal}>
      <img className={styles.portrait} src={basket} width="76" height="76" alt="" />
      <div className={styles.goalHead}>
        <h3 className={styles.goalTitle}>
          <small>{goalMessages.harvest}</small> {title}
        </h3>
        <p className={styles.goalText}>{goalMessages.harvested(facts.harvested)}</p>
      </div>
      {level ? (
        <>
          <Bar
            size="large"
            tone="green"
            className={styles.goalBar}
            percent={shareOf(level, facts) * 100}
            label={title}
            caption={goalMessages.amounts(facts.harvested, level.amount)}
          />
          <p className={styles.forecast}>
            {have >= level.amount
              ? goalMessages.claimToReach
              : forecastText({ have, need: level.amount, ratePerHour })}
          </p>
        </>
      ) : null}
    </div>
  )
}
