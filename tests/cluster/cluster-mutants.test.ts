import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLUSTER_MUTANTS } from './cluster-mutants.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test.each(Object.entries(CLUSTER_MUTANTS))('%s still changes what it is meant to change', (_name, mutant) => {
  for (const { file, find } of mutant.edits ?? [])
    expect(read(file).split(find), `${file}: ${find}`).toHaveLength(2)
  const haproxy = read('deploy/cluster/haproxy.cfg')
  if (mutant.editHaproxy) expect(mutant.editHaproxy(haproxy)).not.toBe(haproxy)
  const patroni = read('deploy/cluster/patroni.yml')
  const edited = mutant.nodes?.editPatroni?.(patroni)
  if (edited !== undefined) {
    expect(edited).toMatch(/synchronous_mode: false/)
    expect(edited).toMatch(/synchronous_mode_strict: false/)
    expect(edited).toMatch(/^ {8}synchronous_commit: "off"$/m)
  }
})
