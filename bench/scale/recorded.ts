import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const RESULTS = join(import.meta.dirname, '../../docs/benchmarks/results.md')

/** A figure of the recorded results, by suite, row and column. Throws if it is not there. */
export type Recorded = (suite: string, row: string, column: string) => number

/** Reads docs/benchmarks/results.md. */
export function readRecorded(): Recorded {
  const markdown = readFileSync(RESULTS, 'utf8')
  return (suite, row, column) => {
    const section = markdown.split(`<!-- ${suite} -->`)[1]?.split(`<!-- /${suite} -->`)[0] ?? ''
    const [header = [], , ...rows] = section
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      )
    const figure = parseFloat(rows.find(([name]) => name === row)?.[header.indexOf(column)] ?? '')
    if (!Number.isFinite(figure)) throw new Error(`The results have no ${column} of ${row} in ${suite}.`)
    return figure
  }
}
