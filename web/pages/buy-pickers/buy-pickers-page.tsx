import { RefreshCw } from 'lucide-react'
import { Link } from 'react-router'
import { STATIC_TYPES, useWorkerTypes } from '#web/api/use-worker-types.ts'
import info from '#web/art/icons/info.webp'
import warning from '#web/art/icons/warning.webp'
import { paths } from '#web/paths.ts'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Button } from '#web/ui/button.tsx'
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
        <Note tone="bad" picture={warning} role="alert" className={styles.sample}>
          <span className={styles.sampleText}>
            <b>{messages.pickers.sample}</b>
            <br />
            {messages.pickers.sampleText}
          </span>
          <Button size="sm" icon={<RefreshCw aria-hidden="true" />} onClick={retry}>
            {messages.tryAgain}
          </Button>
        </Note>
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
