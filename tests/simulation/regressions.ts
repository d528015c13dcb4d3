import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, 'regressions.json')

/** The seeds that violated an invariant once. The short run in `npm test` repeats them. */
export const readRegressions = (file = FILE): number[] => JSON.parse(readFileSync(file, 'utf8')) as number[]

/** Adds seeds to the list, each once. */
export function addRegressions(seeds: readonly number[], file = FILE): void {
  const all = [...new Set([...readRegressions(file), ...seeds])].toSorted((a, b) => a - b)
  writeFileSync(file, `${JSON.stringify(all)}\n`)
}
