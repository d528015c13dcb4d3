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

/** The span of the points that are shown: until the chosen one has been read, they are those of the other. */
export const shownSpan = (chosen: Span, isReading: boolean): Span =>
  (isReading ? SPANS.find((each) => each !== chosen) : undefined) ?? chosen

type SpanChoiceProps = {
  span: Span
  /** Whether the points of this span are still being read. */
  isReading: boolean
  onChange: (span: Span) => void
}

/** Two buttons of which one is pressed. */
export function SpanChoice({ span, isReading, onChange }: SpanChoiceProps) {
  return (
    <>
      {isReading ? <output className="soft">{consoleMessages.loading}</output> : null}
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
    </>
  )
}
