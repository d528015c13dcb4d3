import styles from './purchase-notice.module.css'
import { TermsLink } from './terms-link.tsx'

/** States before a purchase what it is and is not, with a link to the terms. */
export function PurchaseNotice({ text, onFollow }: { text: string; onFollow: () => void }) {
  return (
    <p className={styles.notice}>
      {text} <TermsLink onFollow={onFollow} />
    </p>
  )
}
