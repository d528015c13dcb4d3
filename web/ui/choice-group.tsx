import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './choice-group.module.css'

type ChoiceGroupProps<Value> = {
  label: string
  value: Value
  choices: readonly (readonly [value: Value, content: ReactNode])[]
  onChange: (value: Value) => void
  className?: string
}

/** Buttons in a row, one of which is pressed. */
export function ChoiceGroup<Value extends string>(props: ChoiceGroupProps<Value>) {
  const { label, value, choices, onChange, className } = props
  return (
    <fieldset className={classNames(styles.group, className)} aria-label={label}>
      {choices.map(([each, content]) => (
        <button
          key={each}
          type="button"
          className={styles.choice}
          aria-pressed={each === value}
          onClick={() => onChange(each)}
        >
          {content}
        </button>
      ))}
    </fieldset>
  )
}
