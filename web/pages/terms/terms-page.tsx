import { PageHeader } from '#web/shell/page-header.tsx'
import { Frame, frameBody } from '#web/ui/frame.tsx'
import { termsWords } from '#web/words/en-terms.ts'
import styles from './terms.module.css'

export default function TermsPage() {
  return (
    <>
      <PageHeader current="myprofile" title={termsWords.page} sub={termsWords.sub} />
      <Frame aria-label={termsWords.page}>
        <div className={frameBody}>
          {termsWords.parts.map(({ title, text }) => (
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
