import { SETTINGS } from '#server/platform/settings.ts'
import { type DoctorContext, type Finding, findingsOn } from './finding.ts'

/** Shorter names resemble variables of other programs. */
const MIN_LENGTH = 8

const MAX_EDITS = 2

const NAMES = Object.keys(SETTINGS).filter((name) => name.length >= MIN_LENGTH)

/** Variables that have nearly the name of a setting. Nothing else says that the game ignores them. */
export function checkSettings({ env }: Pick<DoctorContext, 'env'>): Finding[] {
  const settings = findingsOn('settings')
  for (const name of Object.keys(env)) {
    const similar = Object.hasOwn(SETTINGS, name) ? null : findSimilar(name)
    if (similar) settings.note(`${name} is no setting, and is ignored`, `write ${similar}, if you mean that`)
  }
  return settings.found
}

function findSimilar(name: string): string | null {
  const edits = NAMES.map((known) => ({ known, count: countEdits(name.toUpperCase(), known) }))
  const [best] = edits.filter(({ count }) => count <= MAX_EDITS).toSorted((a, b) => a.count - b.count)
  return best?.known ?? null
}

/** How many letters must be added, removed or replaced to make one text the other (Levenshtein). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= to.length; at++)
      next.push(Math.min(row[at]! + 1, next[at - 1]! + 1, row[at - 1]! + Number(letter !== to[at - 1])))
    row = next
  }
  return row.at(-1)!
}
