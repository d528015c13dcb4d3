import {
  CONTINENT_COUNTS,
  CONTINENT_LEVELS,
  COUNTRY_LEVELS,
  CREW_LEVELS,
  HARVEST_LEVELS,
  type Milestone,
} from '#game/milestones.ts'
import { formatCount } from '#game/cotton.ts'
import boll from '#web/art/boll.svg'
import coin from '#web/art/coin.svg'
import { animals } from '#web/art/continents/animals.ts'
import farmer from '#web/art/icons/farmer.webp'
import flag from '#web/art/icons/flag.webp'
import gift from '#web/art/icons/gift.webp'
import map from '#web/art/icons/map.webp'
import { workerArt } from '#web/art/worker-art.ts'
import { formatShort } from '#web/messages/amount.ts'
import { classNames } from '#web/ui/class-names.ts'
import styles from './badge.module.css'

type Metal = 'bronze' | 'silver' | 'gold'

type BadgeProps = {
  milestone: Milestone
  /** Not reached yet: the badge is a blank of its metal. */
  isLocked?: boolean
}

/** A milestone as a medal. Decorative: a text beside it states the milestone. */
export function Badge({ milestone, isLocked = false }: BadgeProps) {
  const mark = markOf(milestone)
  return (
    <span
      className={classNames(styles.badge, styles[metalOf(milestone)], isLocked && styles.locked)}
      aria-hidden="true"
    >
      <span className={styles.ribbon} />
      <span className={styles.disc}>
        <img
          className={isFace(milestone) ? styles.face : styles.picture}
          src={pictureOf(milestone)}
          width="48"
          height="48"
          alt=""
        />
      </span>
      {mark ? <span className={styles.mark}>{mark}</span> : null}
    </span>
  )
}

const isFace = ({ kind }: Milestone): boolean => kind === 'crew' || kind === 'family'

function pictureOf(milestone: Milestone): string {
  switch (milestone.kind) {
    case 'first-picker':
      return farmer
    case 'crew':
      return workerArt[milestone.workerType].face
    case 'family':
      return workerArt.grandma.face
    case 'harvest':
      return metalOf(milestone) === 'gold' ? coin : boll
    case 'countries':
      return flag
    case 'continents':
      return map
    case 'continent':
    case 'whole-continent':
      return animals[milestone.continent]
    case 'first-sale':
      return gift
  }
}

/** The text on the plate below the image. */
function markOf(milestone: Milestone): string | null {
  if (milestone.kind === 'harvest') return formatShort(milestone.amount, 1)
  if (milestone.kind === 'family') return '×4'
  if ('count' in milestone) return milestone.count === 1 ? null : `×${formatCount(milestone.count)}`
  return milestone.kind === 'whole-continent' ? '★' : null
}

const METALS = ['bronze', 'silver', 'gold'] as const

/** The metal by the level within its series: a third of the levels each. */
function metalOf(milestone: Milestone): Metal {
  const at = <T,>(levels: readonly T[], level: T): Metal =>
    METALS[Math.floor((levels.indexOf(level) / levels.length) * METALS.length)] ?? 'gold'
  switch (milestone.kind) {
    case 'crew':
      return at<number>(CREW_LEVELS, milestone.count)
    case 'harvest':
      return at(HARVEST_LEVELS, milestone.amount)
    case 'countries':
      return at<number>(COUNTRY_LEVELS, milestone.count)
    case 'continents':
      return at<number>(CONTINENT_COUNTS, milestone.count)
    case 'continent':
      return at<number>([...CONTINENT_LEVELS, 0], milestone.count)
    case 'first-picker':
    case 'first-sale':
      return 'bronze'
    case 'family':
    case 'whole-continent':
      return 'gold'
  }
}
