import { type ReactNode, useId } from 'react'
import { readTypedAmount } from '#web/ui/read-typed-amount.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { classNames } from '#web/ui/class-names.ts'
import styles from './field.module.css'

type TextFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'search' | 'datetime-local' | 'date'
  /** What to write, below the field. */
  hint?: ReactNode
  error?: string | null
  placeholder?: string
  maxLength?: number
  multiline?: boolean
  autoFocusInDialog?: boolean
  inputMode?: 'decimal' | 'text'
}

/** A labelled field for a text. */
export function TextField(props: TextFieldProps) {
  const { label, value, onChange, type = 'text', hint, error, multiline, autoFocusInDialog, ...rest } = props
  const id = useId()
  const field = {
    id,
    value,
    className: styles.input,
    autoComplete: 'off',
    spellCheck: multiline === true,
    // One line is the start of a wallet, a name or an amount. Phones would capitalize its first letter, and correct it.
    ...(!multiline && { autoCapitalize: 'none', autoCorrect: 'off' }),
    'aria-invalid': error ? true : undefined,
    'aria-describedby': hint || error ? `${id}-hint` : undefined,
    'data-autofocus': autoFocusInDialog || undefined,
    ...rest,
  }
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {multiline ? (
        <textarea rows={2} {...field} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input
          type={type}
          {...field}
          onChange={(event) =>
            onChange(rest.inputMode === 'decimal' ? readTypedAmount(event) : event.target.value)
          }
        />
      )}
      {error ? (
        <p className={classNames(styles.hint, styles.error)} id={`${id}-hint`} key="error" role="alert">
          {error}
        </p>
      ) : hint ? (
        <p className={styles.hint} id={`${id}-hint`} key="hint">
          {hint}
        </p>
      ) : null}
    </div>
  )
}

type ChoiceFieldProps<Value extends string> = {
  label: string
  value: Value
  choices: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}

/** A labelled list of choices. */
export function ChoiceField<Value extends string>({ label, ...select }: ChoiceFieldProps<Value>) {
  return (
    <label className={styles.field}>
      <span className={styles.label}>{label}</span>
      <SelectField {...select} className={styles.select} />
    </label>
  )
}

/** Fields above a table, in a row where there is room. */
export function Filters({ label, children }: { label: string; children: ReactNode }) {
  return (
    <search aria-label={label}>
      <form className={styles.filters} onSubmit={(event) => event.preventDefault()}>
        {children}
      </form>
    </search>
  )
}
