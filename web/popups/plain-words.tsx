import styles from './plain-words.module.css'
import { TermsLink } from './terms-link.tsx'

/** What a purchase is and is not, before it is made, with the way to the terms. */
export function PlainWords({ text, onFollow }: { text: string; onFollow: () => void }) {
  return (
    <p className={styles.plain}>
      {text} <TermsLink onFollow={onFollow} />
    </p>
  )
}
