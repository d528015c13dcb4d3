import Search from 'lucide-react/icons/search'
import { classNames } from './class-names.ts'
import styles from './search-field.module.css'

type SearchFieldProps = {
  value: string
  onChange: (text: string) => void
  onBlur?: () => void
  placeholder: string
  /** For a field without a visible label. */
  'aria-label'?: string
  className?: string
}

/** A text field with a magnifying glass. */
export function SearchField({ onChange, className, ...props }: SearchFieldProps) {
  return (
    <span className={classNames(styles.search, className)}>
      <Search aria-hidden="true" />
      <input
        type="search"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        {...props}
      />
    </span>
  )
}
