import { exportHistory, HistoryKind } from '#contract/history.ts'
import { historyMessages } from '#web/messages/en-history.ts'
import { statementMessages } from '#web/messages/en-statements.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './security.module.css'
import { useDownload } from './use-download.ts'
import { type HistoryFilter, NO_FILTER } from './use-history.ts'

const KINDS = HistoryKind.options

/** Chooses a kind and a range of UTC days, and saves what matches as a file. */
export function HistoryFilterBar({
  filter,
  onChange,
}: {
  filter: HistoryFilter
  onChange: (filter: HistoryFilter) => void
}) {
  const { save, busy } = useDownload()
  const { kind, from, to } = filter
  const given = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const path = `${exportHistory.path}?${new URLSearchParams(given)}`
  return (
    <search className={styles.lock} aria-label={statementMessages.filters}>
      <label className={styles.field}>
        <span>{statementMessages.kind}</span>
        <select
          value={kind ?? ''}
          onChange={({ target }) =>
            onChange({ ...filter, kind: KINDS.find((each) => each === target.value) })
          }
        >
          <option value="">{statementMessages.allKinds}</option>
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {historyMessages.kinds[each]}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.field}>
        <span>{statementMessages.from}</span>
        <input
          type="date"
          value={from ?? ''}
          max={to}
          onChange={({ target }) => onChange({ ...filter, from: target.value || undefined })}
        />
      </label>
      <label className={styles.field}>
        <span>{statementMessages.to}</span>
        <input
          type="date"
          value={to ?? ''}
          min={from}
          onChange={({ target }) => onChange({ ...filter, to: target.value || undefined })}
        />
      </label>
      {given.length > 0 ? (
        <Button size="sm" onClick={() => onChange(NO_FILTER)}>
          {statementMessages.clear}
        </Button>
      ) : null}
      <Button size="sm" busy={busy} onClick={() => void save(path, 'cotton-farm-history.csv')}>
        {busy ? statementMessages.downloading : statementMessages.download}
      </Button>
    </search>
  )
}
