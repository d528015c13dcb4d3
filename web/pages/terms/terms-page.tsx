import { PageHeader } from '#web/shell/page-header.tsx'
import { Frame, frameBody } from '#web/ui/frame.tsx'
import { words } from '#web/words/en.ts'
import styles from './terms.module.css'

export default function TermsPage() {
  return (
    <>
      <PageHeader current="myprofile" title={words.terms.page} sub={words.terms.sub} />
      <Frame aria-label={words.terms.page}>
        <div className={frameBody}>
          {words.terms.parts.map(({ title, text }) => (
            <section className={styles.part} key={title}>
              <h2 className={styles.title}>{title}</h2>
              <p>{text}</p>
            </section>
          ))}
        </div>
      </Frame>
    </>
  )
}
