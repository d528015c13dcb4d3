import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WITHOUT_HASH } from '#tests/support/packages-without-hash.ts'

type Entry = {
  version?: string
  integrity?: string
  resolved?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

const lockfile = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>
}
const entries = Object.entries(lockfile.packages).filter(([path]) => path !== '')
const nameOf = (path: string) => path.split('node_modules/').at(-1)!

test('every package of the lockfile has its hash, but for those that are named and wait for it', () => {
  const without = entries.filter(([, { integrity }]) => integrity === undefined)
  expect(without.map(([path, { version }]) => `${nameOf(path)}@${version}`).toSorted()).toEqual(WITHOUT_HASH)
  for (const [path, { integrity }] of entries)
    if (integrity !== undefined) expect(integrity, path).toMatch(/^sha512-[\w+/]{86}==$/)
})

test('a package without its hash is native code for another machine than the one that everything is tested on', () => {
  for (const [path, { optional, integrity, os, cpu, libc }] of entries) {
    if (integrity !== undefined) continue
    expect(optional, path).toBe(true)
    const runsHere =
      (os?.includes('linux') ?? true) && (cpu?.includes('x64') ?? true) && (libc?.includes('glibc') ?? true)
    expect(runsHere && !path.endsWith('-musl'), path).toBe(false)
  }
})

test('the lockfile names no host: packages come from the registry that npm is set to', () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})
