import X from 'lucide-react/icons/x'
import { classNames } from './class-names.ts'
import styles from './close-button.module.css'

type CloseButtonProps = { label: string; className?: string; onClick: () => void }

/** The round red button at the corner of a dialog, menu or card. */
export function CloseButton({ label, className, onClick }: CloseButtonProps) {
  return (
    <button
      className={classNames(styles.close, className)}
      type="button"
      aria-label={label}
      onClick={onClick}
    >
      <X aria-hidden="true" />
    </button>
  )
}
