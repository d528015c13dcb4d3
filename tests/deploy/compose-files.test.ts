import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = resolve(import.meta.dirname, '../../deploy/container')

const files = globSync('compose*.yaml', { cwd: FOLDER })
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

test('no compose file makes its only api drain, during which Caddy would refuse every player', () => {
  expect(files).toContain('compose.tls.yaml')
  for (const name of files) expect([name, read(name).includes('DRAIN_SECONDS')]).toEqual([name, false])
})
