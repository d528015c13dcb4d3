import Search from 'lucide-react/icons/search'
import { formatCount } from '#game/cotton.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { type Order, ORDERS, type Shown } from './arrange-land.ts'
import styles from './land-choices.module.css'

export type Choices = { shown: Shown; order: Order; text: string }

type LandChoicesProps = {
  choices: Choices
  /** How many parcels each choice has. A choice that does not apply is missing. */
  counts: ReadonlyMap<Shown, number>
  onChange: (choices: Choices) => void
}

/** Which land the cards show, and in which order. */
export function LandChoices({ choices, counts, onChange }: LandChoicesProps) {
  const { shown, order, text } = choices
  return (
    <search className={styles.choices}>
      <fieldset className={styles.shown} aria-label={landMessages.show}>
        {[...counts].map(([each, count]) => (
          <button
            key={each}
            type="button"
            className={styles.choice}
            aria-pressed={each === shown}
            onClick={() => onChange({ ...choices, shown: each })}
          >
            {landMessages.shown[each]} <span className={styles.count}>{formatCount(count)}</span>
          </button>
        ))}
      </fieldset>
      <label className={styles.order}>
        <span className="vh">{landMessages.order}</span>
        <select
          className={styles.field}
          value={order}
          onChange={({ target: { value } }) =>
            onChange({ ...choices, order: ORDERS.find((each) => each === value) ?? 'name' })
          }
        >
          {ORDERS.map((each) => (
            <option key={each} value={each}>
              {landMessages.orders[each]}
            </option>
          ))}
        </select>
      </label>
      <div className={styles.search}>
        <Search aria-hidden="true" />
        <input
          type="search"
          className={styles.field}
          value={text}
          placeholder={landMessages.search}
          aria-label={landMessages.search}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ ...choices, text: event.target.value })}
        />
      </div>
    </search>
  )
}
