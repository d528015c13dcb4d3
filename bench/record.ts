import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import { median, ratios } from './statistics.ts'
import type { Compared, Measured, Target, Variant } from './suite.ts'

export type Result = Measured & { suite: string; at: string; quick: boolean; machine: Machine }

const ROOT = join(import.meta.dirname, '..')
const RESULTS = join(ROOT, 'docs/benchmarks/results.md')

/** Replaces the suite's section in docs/benchmarks/results.md. */
export function writeResult(result: Result): void {
  const { before, after } = findSection(result.suite)
  writeFileSync(RESULTS, `${before}\n\n${renderTable(result)}\n\n${after}`)
  spawnSync(join(ROOT, 'node_modules/.bin/oxfmt'), [RESULTS])
}

/** What comes before and after the suite's section in docs/benchmarks/results.md, with its marks. Throws if there is none. */
export function findSection(suite: string): { before: string; after: string } {
  const [start, end] = [`<!-- ${suite} -->`, `<!-- /${suite} -->`]
  const text = readFileSync(RESULTS, 'utf8')
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/benchmarks/results.md has no section ${suite}`)
  return { before: text.slice(0, from + start.length), after: text.slice(to) }
}

/** The result as Markdown tables, with the machine that it was measured on. */
export function renderTable(result: Result): string {
  const { machine } = result
  const compared = 'variants' in result
  const rounds = compared ? `, ${result.variants[0]!.perSecond.length} rounds` : ''
  return [
    ...(compared ? comparison(result) : table(result.columns, result.rows)),
    ...(compared && result.targets ? targetTable(result.targets, result) : []),
    ...(result.more ?? []).flatMap(({ title, columns, rows }) => [title, '', ...table(columns, rows)]),
    `- ${result.at.slice(0, 10)}${rounds}${result.quick ? ' of a quick run' : ''}; ${machine.cpus} × ${machine.cpu}, ${machine.memoryGb} GB, Node ${machine.node}, load ${machine.load.toFixed(2)} at the end.`,
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

function comparison(result: Compared): string[] {
  const { variants } = result
  const more = [...new Set(variants.flatMap((variant) => Object.keys(variant.more ?? {})))]
  const times = (['p50Ms', 'p99Ms'] as const).filter((time) =>
    variants.some((variant) => variant[time]?.length),
  )
  const titles = { p50Ms: 'p50', p99Ms: 'p99' }
  const columns = [
    result.unit,
    'ratio to the base (lowest to highest round)',
    result.per ?? 'per second',
    ...times.map((time) => titles[time]),
    ...more,
  ]
  const rows = variants.map((variant) => [
    variant.name,
    ratioToBase(variant, result),
    rate(median(variant.perSecond)),
    ...times.map((time) => ms(variant[time])),
    ...more.map((title) => figure(variant.more?.[title])),
  ])
  return table(columns, rows)
}

function ratioToBase(variant: Variant, { base, variants }: Compared): string {
  const of = variantNamed(variant.base ?? base, variants)
  return variant === of ? '1 (the base)' : spread(ratios(variant.perSecond, of.perSecond))
}

const spread = (ratio: readonly number[]): string =>
  `${median(ratio).toFixed(2)} (${Math.min(...ratio).toFixed(2)} to ${Math.max(...ratio).toFixed(2)})`

/** Each target with the measured median. */
function targetTable(all: readonly Target[], { variants }: Compared): string[] {
  const rows = all.map((target) => {
    const { atLeast, atMost } = target
    const values = valuesOf(target, variants)
    const isReached = median(values) >= (atLeast ?? -Infinity) && median(values) <= (atMost ?? Infinity)
    const limits = [
      ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
      ...(atMost === undefined ? [] : [`at most ${atMost}`]),
    ].join(', ')
    return [target.what, limits, spread(values), limits && (isReached ? 'yes' : 'not yet')]
  })
  return table(['comparison', 'target', 'median (lowest to highest round)', 'reached'], rows)
}

function valuesOf({ of, over, figure = 'perSecond' }: Target, variants: readonly Variant[]): number[] {
  const read = (name: string) => {
    const { perSecond, p99Ms, more } = variantNamed(name, variants)
    const known: Record<string, number[] | undefined> = { ...more, perSecond, p99Ms }
    if (!known[figure]) throw new Error(`${name} has no ${figure}`)
    return known[figure]
  }
  return over === undefined ? read(of) : ratios(read(of), read(over))
}

function variantNamed(name: string, variants: readonly Variant[]): Variant {
  const found = variants.find((each) => each.name === name)
  if (!found) throw new Error(`There is no variant ${name}`)
  return found
}

const rate = (perSecond: number): string =>
  perSecond < 100 ? perSecond.toFixed(1) : String(Math.round(perSecond))

const ms = (values?: number[]): string => (values?.length ? `${median(values).toFixed(1)} ms` : '')

const figure = (values?: number[]): string => (values?.length ? median(values).toFixed(1) : '')
