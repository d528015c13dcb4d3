import { lazy, Suspense } from 'react'
import warning from '#web/art/icons/warning.webp'
import { goalMessages } from '#web/messages/en-goals.ts'
import { messages } from '#web/messages/en.ts'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { Panel } from '#web/ui/frame.tsx'
import { Note } from '#web/ui/note.tsx'
import { BoardSkeleton } from './board-skeleton.tsx'
import styles from './board.module.css'

const GoalList = lazy(() => import('./goal-list.tsx').then((module) => ({ default: module.GoalList })))

/** What the player can reach next, what has been reached, and the countries collected. Loaded after the farm. */
export function HarvestBoard() {
  return (
    <Panel title={goalMessages.board} id="harvest-board" className={styles.board}>
      <ErrorBoundary fallback={<NotLoaded />}>
        <Suspense fallback={<BoardSkeleton />}>
          <GoalList />
        </Suspense>
      </ErrorBoundary>
    </Panel>
  )
}

function NotLoaded() {
  return (
    <div className={styles.body}>
      <Note tone="bad" picture={warning} role="alert">
        {goalMessages.failed}. {messages.errors.notLoaded}
      </Note>
    </div>
  )
}
