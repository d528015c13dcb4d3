import { Link } from 'react-router'
import { STATIC_TYPES, useWorkerTypes } from '#web/api/use-worker-types.ts'
import info from '#web/art/icons/info.webp'
import { paths } from '#web/paths.ts'
import { PageHeader } from '#web/shell/page-header.tsx'
import { SampleNote } from '#web/shell/sample-note.tsx'
import { Note } from '#web/ui/note.tsx'
import { messages } from '#web/messages/en.ts'
import styles from './buy-pickers.module.css'
import { LandBanner } from './land-banner.tsx'
import { LocalHint } from './local-hint.tsx'
import { PickerCard } from './picker-card.tsx'

export default function BuyPickersPage() {
  const { types, isSample, retry } = useWorkerTypes()
  return (
    <>
      <PageHeader title={messages.pickers.page} sub={messages.pickers.sub} />
      {isSample ? (
        <SampleNote title={messages.pickers.sample} text={messages.pickers.sampleText} retry={retry} />
      ) : null}
      <section className={styles.grid} aria-label={messages.pickers.list} aria-busy={types === undefined}>
        {(types ?? STATIC_TYPES).map((type) => (
          <PickerCard key={type.workerType} type={type} isSample={isSample} />
        ))}
      </section>
      <LandBanner />
      <LocalHint />
      <Note tone="info" picture={info} className={styles.credit}>
        <b>{messages.pickers.noteTitle}: </b>
        {messages.pickers.note} <Link to={paths.terms}>{messages.menu.terms}</Link>
      </Note>
    </>
  )
}
