import { RefreshCw } from 'lucide-react'
import { Link } from 'react-router'
import { RULES, useWorkerTypes } from '#web/api/use-worker-types.ts'
import info from '#web/art/icons/info.webp'
import warning from '#web/art/icons/warning.webp'
import { paths } from '#web/paths.ts'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { words } from '#web/messages/en.ts'
import styles from './buy-pickers.module.css'
import { LandBand } from './land-band.tsx'
import { LocalHint } from './local-hint.tsx'
import { PickerCard } from './picker-card.tsx'

export default function BuyPickersPage() {
  const { types, isSample, retry } = useWorkerTypes()
  return (
    <>
      <PageHeader current="buy-pickers" title={words.pickers.page} sub={words.pickers.sub} />
      {isSample ? (
        <Note tone="bad" picture={warning} role="alert" className={styles.sample}>
          <span className={styles.sampleText}>
            <b>{words.pickers.sample}</b>
            <br />
            {words.pickers.sampleText}
          </span>
          <Button size="sm" icon={<RefreshCw aria-hidden="true" />} onClick={retry}>
            {words.tryAgain}
          </Button>
        </Note>
      ) : null}
      <section className={styles.grid} aria-label={words.pickers.list} aria-busy={types === undefined}>
        {(types ?? RULES).map((type) => (
          <PickerCard key={type.workerType} type={type} isSample={isSample} />
        ))}
      </section>
      <LandBand />
      <LocalHint />
      <Note tone="info" picture={info} className={styles.credit}>
        <b>{words.pickers.noteTitle}: </b>
        {words.pickers.note} <Link to={paths.terms}>{words.menu.terms}</Link>
      </Note>
    </>
  )
}
