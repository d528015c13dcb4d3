import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import { median, ratios } from './statistics.ts'
import type { Measured, Way } from './suite.ts'

export type Result = Measured & { suite: string; at: string; quick: boolean; machine: Machine }

/** One more line in `results/<suite>.jsonl`, with every round and its ratio. */
export function appendResult(result: Result): void {
  const base = baseOf(result)
  const ways = result.ways.map((way) => ({ ...way, ratio: ratios(way.perSecond, base.perSecond) }))
  const line = JSON.stringify({ ...result, ways }, (_name, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
  )
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, `${result.suite}.jsonl`), `${line}\n`)
}

/** The result as a Markdown table, with the machine that it is true of. */
export function renderTable(result: Result): string {
  const base = baseOf(result)
  const { machine } = result
  return [
    `| ${result.unit} | ratio to the base (lowest to highest round) | per second | p50 | p99 |`,
    '|---|---|---|---|---|',
    ...result.ways.map((way) => row(way, base)),
    '',
    `- ${result.at.slice(0, 10)}, ${result.ways[0]!.perSecond.length} rounds; ${machine.cpus} × ${machine.cpu}, ${machine.memoryGb} GB, Node ${machine.node}, load ${machine.load} at the end.`,
    ...Object.entries(result.facts).map(([fact, value]) => `- ${fact}: ${value}.`),
  ].join('\n')
}

function row(way: Way, base: Way): string {
  const ratio = ratios(way.perSecond, base.perSecond)
  const spread = `${median(ratio).toFixed(2)} (${Math.min(...ratio).toFixed(2)} to ${Math.max(...ratio).toFixed(2)})`
  const shown = way === base ? '1 (the base)' : spread
  return `| ${way.name} | ${shown} | ${Math.round(median(way.perSecond))} | ${ms(way.p50Ms)} | ${ms(way.p99Ms)} |`
}

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

function baseOf({ ways, base }: Measured): Way {
  const found = ways.find((way) => way.name === base)
  if (!found) throw new Error(`No way is called ${base}`)
  return found
}

const ms = (values?: number[]): string => (values ? `${median(values).toFixed(1)} ms` : '')
