import { useState } from 'react'
import type { Milestone } from '#game/milestones.ts'
import { goalMessages } from '#web/messages/en-goals.ts'
import { formatDate } from '#web/messages/locale.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from './badge.tsx'
import styles from './badge-list.module.css'
import type { Grant } from './use-milestones.ts'

/** As many as fit into two rows of the board. */
const FIRST_COUNT = 16

type BadgeListProps = { granted: readonly Grant[]; next: readonly Milestone[] }

/** The badges that the player has, the newest first, and blanks of the next ones while there are few. */
export function BadgeList({ granted, next }: BadgeListProps) {
  const [isOpen, setIsOpen] = useState(false)
  const newest = granted.toReversed()
  const shown = isOpen ? newest : newest.slice(0, FIRST_COUNT)
  const blanks = granted.length + next.length <= FIRST_COUNT / 2 ? next : []
  return (
    <>
      {granted.length === 0 ? <p className={styles.none}>{goalMessages.noneYet}</p> : null}
      <ul className={styles.badges}>
        {shown.map(({ milestone, grantedAt }) => {
          const title = goalMessages.titleOf(milestone)
          return (
            <li key={milestone.code} title={goalMessages.reachedOn(title, formatDate(grantedAt))}>
              <Badge milestone={milestone} />
              <span>{title}</span>
            </li>
          )
        })}
        {blanks.map((milestone) => (
          <li key={milestone.code} className={styles.blank}>
            <Badge milestone={milestone} isLocked />
            <span>{goalMessages.noneYetNext(goalMessages.titleOf(milestone))}</span>
          </li>
        ))}
      </ul>
      {newest.length > FIRST_COUNT ? (
        <Button size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? goalMessages.showFewer : goalMessages.showAll(newest.length)}
        </Button>
      ) : null}
    </>
  )
}
