import { useMemo } from 'react'
import { Link } from 'react-router'
import { WORKER_TYPES, type WorkerType } from '#game/workers.ts'
import { useSession } from '#web/api/session.ts'
import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { STATIC_TYPES, useWorkerTypes } from '#web/api/use-worker-types.ts'
import info from '#web/art/icons/info.webp'
import { paths } from '#web/paths.ts'
import { PageHeader } from '#web/shell/page-header.tsx'
import { SampleNote } from '#web/shell/sample-note.tsx'
import { Note } from '#web/ui/note.tsx'
import { pickerMessages } from '#web/messages/en-hiring.ts'
import { messages } from '#web/messages/en.ts'
import styles from './buy-pickers.module.css'
import { LandBanner } from './land-banner.tsx'
import { LocalHint } from './local-hint.tsx'
import { PickerCard } from './picker-card.tsx'

/** The least expensive. */
const [FIRST_PICKER] = WORKER_TYPES

export default function BuyPickersPage() {
  const { types, isSample, retry } = useWorkerTypes()
  const counts = useOwnedCounts()
  const { loggedIn, known } = useSession()
  const ownsNone = counts?.size === 0 || (known && !loggedIn)
  return (
    <>
      <PageHeader title={pickerMessages.page} sub={pickerMessages.sub} />
      {isSample ? (
        <SampleNote title={pickerMessages.sample} text={pickerMessages.sampleText} retry={retry} />
      ) : null}
      <section className={styles.grid} aria-label={pickerMessages.list} aria-busy={types === undefined}>
        {(types ?? STATIC_TYPES).map((type) => (
          <PickerCard
            key={type.workerType}
            type={type}
            isSample={isSample}
            owned={counts && (counts.get(type.workerType) ?? 0)}
            isFirst={ownsNone && type.workerType === FIRST_PICKER}
          />
        ))}
      </section>
      <LandBanner />
      <LocalHint />
      <Note tone="info" picture={info} className={styles.credit}>
        {pickerMessages.note} <Link to={paths.terms}>{messages.menu.terms}</Link>
      </Note>
    </>
  )
}

/** How many pickers the player owns of each type; undefined while unknown, and for visitors. */
function useOwnedCounts(): ReadonlyMap<WorkerType, number> | undefined {
  const { data } = useOwnedWorkers({ refresh: false })
  return useMemo(() => {
    if (!data) return undefined
    const counts = new Map<WorkerType, number>()
    for (const { workerType } of data) counts.set(workerType, (counts.get(workerType) ?? 0) + 1)
    return counts
  }, [data])
}
