import { useState } from 'react'
import { exportHistory, HISTORY_KINDS } from '#contract/history.ts'
import { historyMessages } from '#web/messages/en-history.ts'
import { statementMessages } from '#web/messages/en-statements.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TransientButton } from '#web/ui/transient-button.tsx'
import styles from './security.module.css'
import { useDownload } from './use-download.ts'
import { type HistoryFilter, NO_FILTER } from './use-history.ts'

/** Chooses a kind and a range of UTC days, and saves what matches as a file. */
export function HistoryFilterBar({
  filter,
  onChange,
}: {
  filter: HistoryFilter
  onChange: (filter: HistoryFilter) => void
}) {
  const { save, busy } = useDownload()
  const [clearings, setClearings] = useState(0)
  const { kind, from, to } = filter
  const clear = (): void => {
    onChange(NO_FILTER)
    setClearings(clearings + 1)
  }
  const given = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const path = `${exportHistory.path}?${new URLSearchParams(given)}`
  return (
    <search className={styles.lock} aria-label={statementMessages.filters}>
      <label className={styles.field}>
        <span>{statementMessages.kind}</span>
        <select
          value={kind ?? ''}
          onChange={({ target }) =>
            onChange({ ...filter, kind: HISTORY_KINDS.find((each) => each === target.value) })
          }
        >
          <option value="">{statementMessages.allKinds}</option>
          {HISTORY_KINDS.map((each) => (
            <option key={each} value={each}>
              {historyMessages.kinds[each]}
            </option>
          ))}
        </select>
      </label>
      <DayField
        key={`from ${clearings}`}
        label={statementMessages.from}
        onChange={(day) => onChange({ ...filter, from: day })}
      />
      <DayField
        key={`to ${clearings}`}
        label={statementMessages.to}
        onChange={(day) => onChange({ ...filter, to: day })}
      />
      {given.length > 0 ? (
        <TransientButton size="sm" focusAfter="history-title" onClick={clear}>
          {statementMessages.clear}
        </TransientButton>
      ) : null}
      <Button size="sm" busy={busy} onClick={() => void save(path, 'cotton-farm-history.csv')}>
        {busy ? statementMessages.downloading : statementMessages.download}
      </Button>
      {(from ?? to) ? <p className={classNames(styles.text, styles.line)}>{statementMessages.days}</p> : null}
    </search>
  )
}

/** The game is not older, and the year of a date that is still being typed is earlier. */
const FIRST_DAY = '2020-01-01'

type DayFieldProps = { label: string; onChange: (day: string | undefined) => void }

/**
 * A UTC day. It is not controlled, because the browser empties a controlled field while a year is typed. The other day does
 * not limit it: a day outside of that limit would be shown and not apply, not even after the other day has changed.
 */
function DayField({ label, onChange }: DayFieldProps) {
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <input
        type="date"
        min={FIRST_DAY}
        onChange={({ target }) => onChange((target.validity.valid && target.value) || undefined)}
      />
    </label>
  )
}
