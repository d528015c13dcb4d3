import { Suspense } from 'react'
import { useSession } from '#web/api/session.ts'
import { useStore } from '#web/store.ts'
import { AuthSplit } from './auth-split.tsx'
import { guideWanted } from './guide-store.ts'
import { FirstSteps } from './load-layout.ts'
import styles from './guide-slot.module.css'

const placeholder = <div className={styles.placeholder} />
const steps = (
  <Suspense fallback={placeholder}>
    <FirstSteps placeholder={placeholder} />
  </Suspense>
)

/**
 * Where the first steps stand on a page. The place is kept while they load and look: who is past them gives it back
 * once in a browser, everybody else sees a page that stands still.
 */
export function GuideSlot() {
  const wanted = useStore(guideWanted)
  const { known } = useSession()
  if (!wanted) return null
  return (
    <div className="first-steps">
      <AuthSplit visitor={steps} player={known ? steps : placeholder} />
    </div>
  )
}
