import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8')

type Locked = { version: string; dev?: boolean; devOptional?: boolean }

test('the third-party notices name every production package and its version', () => {
  const locked = (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages
  const shipped = Object.entries(locked)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`)
  const rows = read('THIRD-PARTY-NOTICES.md').matchAll(/^\| (\S+) +\| (\d\S*) +\| [^|]+\|$/gm)
  const named = [...rows].map(([, name, version]) => `${name} ${version}`)
  // After a change of dependencies: npm run licenses.
  expect(named.toSorted()).toEqual(shipped.toSorted())
})
