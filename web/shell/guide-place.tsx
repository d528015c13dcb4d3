import { lazy, Suspense } from 'react'
import { useSession } from '#web/api/session.ts'
import { useStore } from '#web/store.ts'
import { guide } from './guide-store.ts'
import styles from './guide-place.module.css'

const FirstSteps = lazy(() => import('./guide.tsx').then((module) => ({ default: module.FirstSteps })))

/** Where the first steps stand on a page; the place is kept for a visitor, who needs them surely. */
export function GuidePlace() {
  const wanted = useStore(guide)
  const { loggedIn } = useSession()
  if (!wanted) return null
  return (
    <Suspense fallback={loggedIn ? null : <div className={styles.place} />}>
      <FirstSteps />
    </Suspense>
  )
}
