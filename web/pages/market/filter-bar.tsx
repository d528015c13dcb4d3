import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { CONTINENT_NAMES } from '#game/continents.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { SelectField, type SelectFieldProps } from '#web/ui/select-field.tsx'
import { TransientButton } from '#web/ui/transient-button.tsx'
import { marketMessages } from '#web/messages/en-market.ts'
import { CONTINENT_CHOICES, type Filters, isFiltered, SORTS, TYPES } from './filters.ts'
import { LISTINGS_ID } from './listing-card.tsx'
import styles from '#web/land/market.module.css'

type FilterBarProps = { filters: Filters; onChange: (changed: Partial<Filters>) => void }

/** The filters and the sort order of the market (S-39). */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  // What is typed reaches the address, and with it `filters`, with a delay.
  const [typed, setTyped] = useState<string | null>(null)

  const search = (text: string): void => {
    setTyped(text)
    onChange({ search: text.trim() })
  }
  const clear = (): void => {
    setTyped(null)
    onChange({ continent: 'all', type: 'all', search: '' })
  }

  return (
    <search className={styles.filters} aria-label={marketMessages.filters}>
      <Choice
        label={marketMessages.continent}
        value={filters.continent}
        choices={CONTINENT_CHOICES.map((code) => [
          code,
          code === 'all' ? marketMessages.allContinents : CONTINENT_NAMES[code],
        ])}
        onChange={(continent) => onChange({ continent })}
      />
      <Choice
        label={marketMessages.type}
        value={filters.type}
        choices={TYPES.map((type) => [type, marketMessages.types[type]])}
        onChange={(type) => onChange({ type })}
      />
      <Choice
        label={marketMessages.sort}
        value={filters.sort}
        choices={SORTS.map((sort) => [sort, marketMessages.sorts[sort]])}
        onChange={(sort) => onChange({ sort })}
      />
      <label className={styles.field}>
        <span className={styles.label}>{marketMessages.search}</span>
        <SearchField
          value={typed ?? filters.search}
          placeholder={marketMessages.searchHint}
          onChange={search}
          onBlur={() => setTyped(null)}
        />
      </label>
      {isFiltered(filters) ? (
        <TransientButton
          size="sm"
          className={styles.clear}
          focusAfter={LISTINGS_ID}
          icon={<X aria-hidden="true" />}
          onClick={clear}
        >
          {marketMessages.clear}
        </TransientButton>
      ) : null}
    </search>
  )
}

type ChoiceProps<Value> = SelectFieldProps<Value> & { label: string }

function Choice<Value extends string>({ label, ...props }: ChoiceProps<Value>) {
  return (
    <label className={styles.field}>
      <span className={styles.label}>{label}</span>
      <SelectField {...props} />
    </label>
  )
}
