import { type ReactNode, useId } from 'react'
import styles from './amount-field.module.css'
import { readTypedAmount } from './read-typed-amount.ts'

type AmountFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | null
  /** What is to be said about the value while there is no error. */
  status?: string | null
  /** The amount has no fraction, so that a comma only separates thousands. */
  whole?: boolean
  disabled?: boolean
  /** Shown beside the input: a Max button. */
  children?: ReactNode
  autoFocusInDialog?: boolean
}

/** An input for an amount of $COTTON. */
export function AmountField({
  label,
  value,
  onChange,
  error,
  status,
  whole,
  disabled,
  children,
  autoFocusInDialog,
}: AmountFieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.row}>
        <input
          className={styles.input}
          id={id}
          type="text"
          inputMode={whole ? 'numeric' : 'decimal'}
          autoComplete="off"
          placeholder="0"
          value={value}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          data-autofocus={autoFocusInDialog || undefined}
          onChange={(event) => onChange(whole ? event.target.value : readTypedAmount(event))}
        />
        {children}
      </div>
      <div className={styles.below}>
        {/* An error is a new element, which is announced even if it is the same as before. */}
        <p className={styles.error} key={error} id={`${id}-error`} role="alert">
          {error}
        </p>
        {status === undefined ? null : <output className={styles.status}>{error ? null : status}</output>}
      </div>
    </div>
  )
}
