import { lazy, Suspense } from 'react'
import { useReturnVisit } from './use-return-visit.ts'

const AbsenceSummary = lazy(() =>
  import('./absence-summary.tsx').then((module) => ({ default: module.AbsenceSummary })),
)

/** The absence summary, for players who have played in this browser before. */
export function ReturningPlayer() {
  const visit = useReturnVisit()
  return <Suspense fallback={null}>{visit ? <AbsenceSummary key={visit.since} {...visit} /> : null}</Suspense>
}
