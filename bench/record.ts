import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import { median, ratios } from './statistics.ts'
import type { Compared, Measured, Way } from './suite.ts'

export type Result = Measured & { suite: string; at: string; quick: boolean; machine: Machine }

/** One more line in `results/<suite>.jsonl`, with every round and its ratio. */
export function appendResult(result: Result): void {
  const ways =
    'ways' in result
      ? { ways: result.ways.map((way) => ({ ...way, ratio: ratiosOf(way, result) })) }
      : undefined
  const line = JSON.stringify({ ...result, ...ways }, (_name, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
  )
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, `${result.suite}.jsonl`), `${line}\n`)
}

/** The result as a Markdown table, with the machine that it is true of. */
export function renderTable(result: Result): string {
  const { machine } = result
  const [columns, rows] = 'ways' in result ? comparison(result) : [result.columns, result.rows]
  const rounds =
    'ways' in result
      ? `, ${result.ways[0]!.perSecond.length} rounds${result.quick ? ' of a quick run' : ''}`
      : ''
  const more = 'ways' in result ? [] : (result.more ?? [])
  return [
    ...table(columns, rows),
    ...more.flatMap(({ title, columns: heads, rows: cells }) => [title, '', ...table(heads, cells)]),
    `- ${result.at.slice(0, 10)}${rounds}; ${machine.cpus} × ${machine.cpu}, ${machine.memoryGb} GB, Node ${machine.node}, load ${machine.load.toFixed(2)} at the end.`,
    ...Object.entries(result.facts).map(([fact, value]) => `- ${fact}: ${value}.`),
  ].join('\n')
}

const table = (columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] => [
  line(columns),
  line(columns.map(() => '---')),
  ...rows.map(line),
  '',
]

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

function comparison(result: Compared): [columns: string[], rows: string[][]] {
  const { ways } = result
  const more = [...new Set(ways.flatMap((way) => Object.keys(way.more ?? {})))]
  const times = (['p50Ms', 'p99Ms'] as const).filter((time) => ways.some((way) => way[time]?.length))
  const titles = { p50Ms: 'p50', p99Ms: 'p99' }
  return [
    [
      result.unit,
      'ratio to the base (lowest to highest round)',
      'per second',
      ...times.map((time) => titles[time]),
      ...more,
    ],
    ways.map((way) => [
      way.name,
      ratioOf(way, result),
      rate(median(way.perSecond)),
      ...times.map((time) => ms(way[time])),
      ...more.map((title) => figure(way.more?.[title])),
    ]),
  ]
}

function ratioOf(way: Way, result: Compared): string {
  if (way === baseOf(way, result)) return '1 (the base)'
  const ratio = ratiosOf(way, result)
  return `${median(ratio).toFixed(2)} (${Math.min(...ratio).toFixed(2)} to ${Math.max(...ratio).toFixed(2)})`
}

const ratiosOf = (way: Way, result: Compared): number[] =>
  ratios(way.perSecond, baseOf(way, result).perSecond)

/** Puts the table into README.md, between the marks of its suite. */
export function writeTable(result: Result): void {
  const file = join(import.meta.dirname, 'README.md')
  const marks = { from: `<!-- ${result.suite} -->`, to: `<!-- /${result.suite} -->` }
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split(marks.from)
  const after = rest.split(marks.to)[1] ?? ''
  writeFileSync(file, `${before}${marks.from}\n\n${renderTable(result)}\n\n${marks.to}${after}`)
  // The table is aligned as all documents are.
  spawnSync(join(import.meta.dirname, '../node_modules/.bin/oxfmt'), [file])
}

function baseOf(way: Way, { ways, base }: Compared): Way {
  const name = way.base ?? base
  const found = ways.find((each) => each.name === name)
  if (!found) throw new Error(`No way is called ${name}`)
  return found
}

const rate = (perSecond: number): string =>
  perSecond < 100 ? perSecond.toFixed(1) : String(Math.round(perSecond))

const ms = (values?: number[]): string => (values?.length ? `${median(values).toFixed(1)} ms` : '')

const figure = (values?: number[]): string => (values?.length ? median(values).toFixed(1) : '')
