import type { ContinentCode } from '#game/continents.ts'
import { formatCount } from '#game/cotton.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { ChoiceGroup } from '#web/ui/choice-group.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { type Order, ORDERS, type Shown } from './arrange-land.ts'
import styles from './land-choices.module.css'

export type Choices = { shown: Shown; order: Order; text: string }

type LandChoicesProps = {
  code: ContinentCode
  choices: Choices
  /** How many parcels each choice has. A choice that does not apply is missing. */
  counts: ReadonlyMap<Shown, number>
  onChange: (choices: Choices) => void
}

/** Which land the cards show, and in which order. */
export function LandChoices({ code, choices, counts, onChange }: LandChoicesProps) {
  const { shown, order, text } = choices
  return (
    <search className={styles.choices}>
      <ChoiceGroup
        className={styles.shown}
        label={landMessages.show}
        value={shown}
        choices={[...counts].map(([each, count]) => [
          each,
          <>
            {landMessages.shown[each]} <span className={styles.count}>{formatCount(count)}</span>
          </>,
        ])}
        onChange={(each) => onChange({ ...choices, shown: each })}
      />
      <label>
        <span className="vh">{landMessages.order}</span>
        <SelectField
          value={order}
          choices={ORDERS.map((each) => [each, landMessages.orders[each]])}
          onChange={(each) => onChange({ ...choices, order: each })}
        />
      </label>
      <SearchField
        className={styles.search}
        value={text}
        placeholder={landMessages.search(code)}
        aria-label={landMessages.search(code)}
        onChange={(typed) => onChange({ ...choices, text: typed })}
      />
    </search>
  )
}
