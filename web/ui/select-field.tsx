import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import styles from './select-field.module.css'

export type SelectFieldProps<Value> = Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> & {
  value: Value
  choices: readonly (readonly [value: Value, text: string])[]
  onChange: (value: Value) => void
}

/** A list of choices that opens. Its label is around it. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { choices, onChange, className, ...rest } = props
  return (
    <select
      className={classNames(styles.select, className)}
      onChange={(event) => {
        const chosen = choices.find(([each]) => each === event.target.value)
        if (chosen) onChange(chosen[0])
      }}
      {...rest}
    >
      {choices.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  )
}
