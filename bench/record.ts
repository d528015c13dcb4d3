import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import { median, ratios } from './statistics.ts'
import type { Compared, Measured, Reach, Way } from './suite.ts'

export type Result = Measured & { suite: string; at: string; quick: boolean; machine: Machine }

/** One more line in `results/<suite>.jsonl`, with every round and its ratio. */
export function appendResult(result: Result): void {
  const ways =
    'ways' in result
      ? {
          ways: result.ways.map((way) => ({ ...way, ratio: ratiosOf(way, result) })),
          reach: result.reach?.map((reach) => ({ ...reach, ratio: reached(reach, result) })),
        }
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
    ...('ways' in result && result.reach ? reachTable(result.reach, result) : []),
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
      result.per ?? 'per second',
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
  return spread(ratiosOf(way, result))
}

const spread = (ratio: readonly number[]): string =>
  `${median(ratio).toFixed(2)} (${Math.min(...ratio).toFixed(2)} to ${Math.max(...ratio).toFixed(2)})`

/** What is wanted beside what is there, by the median. */
function reachTable(all: readonly Reach[], result: Compared): string[] {
  const rows = all.map((reach) => {
    const ratio = reached(reach, result)
    const { atLeast, atMost } = reach
    const there = median(ratio)
    const wanted = atLeast !== undefined || atMost !== undefined
    const isThere = there >= (atLeast ?? -Infinity) && there <= (atMost ?? Infinity)
    const target =
      atLeast === undefined ? (atMost === undefined ? '' : `at most ${atMost}`) : `at least ${atLeast}`
    return [reach.what, target, spread(ratio), wanted ? (isThere ? 'yes' : 'not yet') : '']
  })
  const title = all.every(({ over }) => over !== undefined) ? 'to reach, as a ratio' : 'to reach'
  return table([title, 'target', 'median (lowest to highest round)', 'reached'], rows)
}

function reached({ of, over, figure = 'perSecond' }: Reach, { ways }: Compared): number[] {
  const read = (name: string) => {
    const { perSecond, p99Ms, more } = wayNamed(name, ways)
    const known: Record<string, number[] | undefined> = { ...more, perSecond, p99Ms }
    if (!known[figure]) throw new Error(`${name} has no ${figure}`)
    return known[figure]
  }
  return over === undefined ? read(of) : ratios(read(of), read(over))
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

const baseOf = (way: Way, { ways, base }: Compared): Way => wayNamed(way.base ?? base, ways)

function wayNamed(name: string, ways: readonly Way[]): Way {
  const found = ways.find((each) => each.name === name)
  if (!found) throw new Error(`No way is called ${name}`)
  return found
}

const rate = (perSecond: number): string =>
  perSecond < 100 ? perSecond.toFixed(1) : String(Math.round(perSecond))

const ms = (values?: number[]): string => (values?.length ? `${median(values).toFixed(1)} ms` : '')

const figure = (values?: number[]): string => (values?.length ? median(values).toFixed(1) : '')
