import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Stryker } from '@stryker-mutator/core'
import { nameOf, type Survivor } from './survivor.ts'

const ROOT = join(import.meta.dirname, '../..')

export type Result = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

const SURVIVED: readonly Result['status'][] = ['Survived', 'NoCoverage']
const FOUND: readonly Result['status'][] = ['Killed', 'Timeout']

type Mutated = {
  /** The mutated files and folders. */
  code: readonly string[]
  leastPercent: number
  results: readonly Result[]
  /** The survivors that are listed. */
  known: readonly Survivor[]
}

/** What is said of mutated code, and whether it is good enough. Without a mutant it is not. */
export function reportOf({ code, leastPercent, results, known }: Mutated): { text: string; isGood: boolean } {
  const found = results.filter(({ status }) => FOUND.includes(status)).length
  const survivors = results.filter(({ status }) => SURVIVED.includes(status)).map(toSurvivor)
  const of = found + survivors.length
  if (of === 0) return { text: `${code.join(', ')}: there was no mutant`, isGood: false }
  const percent = (100 * found) / of
  const listed = known.filter(({ file }) => code.some((name) => `${file}/`.startsWith(`${name}/`)))
  const isListed = new Set(listed.map(nameOf))
  const survived = new Set(survivors.map(nameOf))
  const unlisted = [...survived].filter((name) => !isListed.has(name))
  const text = [
    `${code.join(', ')}: ${found} of ${of} mutants found, ${percent.toFixed(1)} % of at least ${leastPercent} %`,
    ...unlisted.map((name) => `  survives and is not listed: ${name}`),
    ...listed
      .map(nameOf)
      .flatMap((name) => (survived.has(name) ? [] : [`  is listed and was found: ${name}`])),
  ].join('\n')
  return { text, isGood: percent >= leastPercent && unlisted.length === 0 }
}

function toSurvivor({ fileName, location: { start, end }, replacement = '' }: Result) {
  const lines = readFileSync(fileName, 'utf8').split('\n')
  const from = lines.slice(start.line - 1, end.line)
  const line = from[0]!.trim()
  from[from.length - 1] = from.at(-1)!.slice(0, end.column - 1)
  from[0] = from[0]!.slice(start.column - 1)
  return { file: relative(ROOT, fileName), line, from: from.join('\n'), to: replacement }
}
