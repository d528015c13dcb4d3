import { consoleMessages } from '#web/messages/en-console.ts'
import { scrollArea } from '../ui/scroll-area.ts'
import type { Series } from './chart.tsx'
import styles from './chart.module.css'

type ChartTableProps = {
  title: string
  series: readonly Series[]
  format: (value: number) => string
  formatAt: (at: string) => string
}

/** The values of a chart as a table, which opens below it. */
export function ChartTable({ title, series, format, formatAt }: ChartTableProps) {
  const instants = series[0]?.points.map(({ at }) => at) ?? []
  return (
    <details className={styles.values}>
      <summary>{consoleMessages.chart.asTable}</summary>
      <div className={styles.valuesScroll} {...scrollArea(title)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{consoleMessages.chart.when}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {instants.map((at, index) => (
              <tr key={at}>
                <th scope="row">{formatAt(at)}</th>
                {series.map(({ name, points }) => (
                  <td key={name}>{format(points[index]?.value ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
