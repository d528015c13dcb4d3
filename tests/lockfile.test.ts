import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Entry = { integrity?: string; resolved?: string }

const lockfile = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>
}
const entries = Object.entries(lockfile.packages).filter(([path]) => path !== '')

test('every package of the lockfile has a hash, also for other platforms', () => {
  expect(entries.length).toBeGreaterThan(300)
  const without = entries.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
  expect(without.map(([path]) => path)).toEqual([])
})

test('the lockfile names no host, so packages come from the configured registry', () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})
