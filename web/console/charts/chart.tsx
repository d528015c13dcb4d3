import { useId } from 'react'
import { consoleMessages } from '#web/messages/en-console.ts'
import { formatMoment } from '#web/messages/locale.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ChartTable } from './chart-table.tsx'
import { pickEvenly, roundTicks, scaleBetween } from './chart-scale.ts'
import styles from './chart.module.css'
import { useWidth } from './use-width.ts'

export type Point = { at: string; value: number }
export type Series = { name: string; points: readonly Point[] }

type ChartProps = {
  title: string
  kind: 'line' | 'bar'
  /** At most four. All have the same instants. */
  series: readonly Series[]
  format: (value: number) => string
  /** How the instants are shown; day and time by default. */
  formatAt?: (at: string) => string
  /** Beside the title: a total as text. */
  summary?: string
  /** The axis begins near the smallest value and not at 0, so that small differences show. For lines only. */
  fitted?: boolean
}

const HEIGHT = 176
const MARGIN = { top: 10, right: 8, bottom: 24, left: 54 }
const TICKS = 4
const WIDTH_PER_LABEL = 110

/** A small chart of values over time. Its table has the same values for whoever cannot see it. */
export function Chart({
  title,
  kind,
  series,
  format,
  formatAt = formatMoment,
  summary,
  fitted = false,
}: ChartProps) {
  const { ref, width } = useWidth<HTMLDivElement>(480)
  const id = useId()
  const values = series.flatMap(({ points }) => points.map(({ value }) => value))
  const isEmpty = values.length === 0
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption className={styles.head} id={id}>
        <span className={styles.title}>{title}</span>
        {summary ? <span className={styles.summary}>{summary}</span> : null}
      </figcaption>
      <div ref={ref} className={styles.plot}>
        {isEmpty ? (
          <p className={styles.empty}>{consoleMessages.chart.empty}</p>
        ) : (
          <Plot {...{ kind, series, format, formatAt, width, values, fitted }} />
        )}
      </div>
      {series.length > 1 ? <Legend series={series} /> : null}
      {isEmpty ? null : <ChartTable title={title} series={series} format={format} formatAt={formatAt} />}
    </figure>
  )
}

type PlotProps = Required<Pick<ChartProps, 'kind' | 'series' | 'format' | 'formatAt' | 'fitted'>> & {
  width: number
  values: readonly number[]
}

function Plot({ kind, series, format, formatAt, width, values, fitted }: PlotProps) {
  const ends = fitted ? values : [0, ...values]
  const ticks = roundTicks({ min: Math.min(...ends), max: Math.max(...ends), count: TICKS })
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const y = scaleBetween({ range: [low, high], ends: [HEIGHT - MARGIN.bottom, MARGIN.top] })
  const instants = series[0]?.points.map(({ at }) => at) ?? []
  const inner = width - MARGIN.left - MARGIN.right
  const slot = inner / Math.max(1, instants.length)
  const xOf = (index: number): number => MARGIN.left + slot * (index + 0.5)
  const labelled = pickEvenly(
    instants.map((at, index) => ({ at, index })),
    Math.max(2, Math.floor(inner / WIDTH_PER_LABEL)),
  )
  return (
    <svg
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      aria-hidden="true"
      focusable="false"
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            className={styles.grid}
            x1={MARGIN.left}
            x2={width - MARGIN.right}
            y1={y(tick)}
            y2={y(tick)}
          />
          <text className={styles.label} x={MARGIN.left - 8} y={y(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {labelled.map(({ at, index }, place) => (
        <text
          key={at}
          className={styles.label}
          x={place === 0 ? MARGIN.left : place === labelled.length - 1 ? width - MARGIN.right : xOf(index)}
          y={HEIGHT - 6}
          textAnchor={place === 0 ? 'start' : place === labelled.length - 1 ? 'end' : 'middle'}
        >
          {formatAt(at)}
        </text>
      ))}
      {series.map(({ name, points }, at) =>
        kind === 'bar' ? (
          <Bars key={name} {...{ points, at, count: series.length, slot, xOf, y }} />
        ) : (
          <Line
            key={name}
            {...{ points, at, xOf, y, base: y(Math.max(low, 0)), fills: series.length === 1 }}
          />
        ),
      )}
    </svg>
  )
}

type Marks = {
  points: readonly Point[]
  /** The index of the series. */
  at: number
  xOf: (index: number) => number
  y: (value: number) => number
}

function Line({ points, at, xOf, y, base, fills }: Marks & { base: number; fills: boolean }) {
  const places = points.map(({ value }, index) => `${xOf(index)},${y(value)}`)
  const last = points.at(-1)
  return (
    <g className={seriesClass(at)}>
      {fills && points.length > 1 ? (
        <polygon
          className={styles.area}
          points={[`${xOf(0)},${base}`, ...places, `${xOf(points.length - 1)},${base}`].join(' ')}
        />
      ) : null}
      <polyline className={styles.line} points={places.join(' ')} />
      {last ? <circle className={styles.dot} cx={xOf(points.length - 1)} cy={y(last.value)} r={3} /> : null}
    </g>
  )
}

const MAX_BAR = 28

function Bars({ points, at, count, slot, xOf, y }: Marks & { count: number; slot: number }) {
  const width = Math.max(1, Math.min(MAX_BAR, (slot * 0.72) / count))
  return (
    <g className={seriesClass(at)}>
      {points.map(({ at: instant, value }, index) => (
        <rect
          key={instant}
          className={styles.bar}
          x={xOf(index) - (width * count) / 2 + width * at}
          y={Math.min(y(0), y(value))}
          width={width}
          height={Math.abs(y(value) - y(0))}
        />
      ))}
    </g>
  )
}

const seriesClass = (at: number): string | undefined => styles[`series${at + 1}`]

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className={styles.legend}>
      {series.map(({ name }, at) => (
        <li key={name}>
          <span className={classNames(styles.swatch, styles[`series${at + 1}`])} />
          {name}
        </li>
      ))}
    </ul>
  )
}
