import { consoleMessages } from '#web/messages/en-console.ts'
import { choiceOf, useFilter } from './use-filter.ts'
import styles from './span-choice.module.css'

const SPANS = ['day', 'month'] as const
export type Span = (typeof SPANS)[number]

/** The time span of the charts of a page, from its address. */
export function useSpan(): [Span, (span: Span) => void] {
  const [name, set] = useFilter('span')
  return [choiceOf(SPANS, name), (span) => set(span === 'day' ? '' : span)]
}

/** Two buttons of which one is pressed. */
export function SpanChoice({ span, onChange }: { span: Span; onChange: (span: Span) => void }) {
  return (
    <fieldset className={styles.spans} aria-label={consoleMessages.chart.span}>
      {SPANS.map((each) => (
        <button
          key={each}
          type="button"
          className={styles.span}
          aria-pressed={each === span}
          onClick={() => onChange(each)}
        >
          {consoleMessages.chart[each]}
        </button>
      ))}
    </fieldset>
  )
}
