import { lazy, Suspense } from 'react'
import { useStore } from '#web/store.ts'
import { guide } from './guide-store.ts'
import styles from './guide-place.module.css'

const FirstSteps = lazy(() => import('./guide.tsx').then((module) => ({ default: module.FirstSteps })))

/**
 * Where the first steps stand on a page. The place is kept while they load and look: who is past them gives it back
 * once in a browser, everybody else sees a page that stands still.
 */
export function GuidePlace() {
  const wanted = useStore(guide)
  if (!wanted) return null
  const place = <div className={styles.place} />
  return (
    <Suspense fallback={place}>
      <FirstSteps place={place} />
    </Suspense>
  )
}
