import { lazy } from 'react'
import { goalMessages } from '#web/messages/en-goals.ts'
import { Panel } from '#web/ui/frame.tsx'
import { LazyPart } from '#web/ui/lazy-part.tsx'
import { BoardSkeleton } from './board-skeleton.tsx'
import styles from './board.module.css'

const GoalList = lazy(() => import('./goal-list.tsx').then((module) => ({ default: module.GoalList })))

/** What the player can reach next, what has been reached, and the countries collected. Loaded after the farm. */
export function HarvestBoard() {
  return (
    <Panel title={goalMessages.board} id="harvest-board" className={styles.board}>
      <LazyPart loading={<BoardSkeleton />} className={styles.notLoaded}>
        <GoalList />
      </LazyPart>
    </Panel>
  )
}
