import { Suspense } from 'react'
import { useSession } from '#web/api/session.ts'
import { useStore } from '#web/store.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { AuthSplit } from './auth-split.tsx'
import { useCurrentPage } from './find-page.ts'
import { guideWanted } from './guide-store.ts'
import { FirstSteps } from './load-layout.ts'
import styles from './guide-slot.module.css'
import { usePointAtHash } from './point-at.ts'

const placeholder = <div className={styles.placeholder} />
const steps = (
  <Suspense fallback={placeholder}>
    <FirstSteps placeholder={placeholder} />
  </Suspense>
)

/**
 * The place of the first steps on a page, in sight wherever the page is scrolled. It is reserved while they load, so that
 * the page does not move. A player who has finished them sees it disappear once in each browser. On a phone's farm it is
 * compact, so that all fields fit below it.
 */
export function GuideSlot() {
  usePointAtHash()
  const wanted = useStore(guideWanted)
  const { known } = useSession()
  const isOnFarm = useCurrentPage() === 'myFarm'
  if (!wanted) return null
  return (
    // A page without the code of the first steps stays usable, and reserves no place for them.
    <ErrorBoundary>
      <div className={classNames(styles.slot, 'first-steps')} data-compact={isOnFarm || undefined}>
        <AuthSplit visitor={steps} player={known ? steps : placeholder} />
      </div>
    </ErrorBoundary>
  )
}
