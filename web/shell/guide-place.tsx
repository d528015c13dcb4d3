import { Suspense } from 'react'
import { useSession } from '#web/api/session.ts'
import { useStore } from '#web/store.ts'
import { ForWhom } from './for-whom.tsx'
import { guide } from './guide-store.ts'
import { FirstSteps } from './load-inside.ts'
import styles from './guide-place.module.css'

const place = <div className={styles.place} />
const steps = (
  <Suspense fallback={place}>
    <FirstSteps place={place} />
  </Suspense>
)

/**
 * Where the first steps stand on a page. The place is kept while they load and look: who is past them gives it back
 * once in a browser, everybody else sees a page that stands still.
 */
export function GuidePlace() {
  const wanted = useStore(guide)
  const { known } = useSession()
  if (!wanted) return null
  return (
    <div className="first-steps">
      <ForWhom visitor={steps} player={known ? steps : place} />
    </div>
  )
}
