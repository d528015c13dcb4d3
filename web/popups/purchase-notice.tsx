import styles from './purchase-notice.module.css'
import { TermsLink } from './terms-link.tsx'

/** What a purchase is and is not, before it is made, with the way to the terms. */
export function PurchaseNotice({ text, onFollow }: { text: string; onFollow: () => void }) {
  return (
    <p className={styles.notice}>
      {text} <TermsLink onFollow={onFollow} />
    </p>
  )
}
