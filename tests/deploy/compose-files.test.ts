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

test('no process of the game that crashes writes its memory, with passwords and the seed, to the disk', () => {
  const whole = files.filter((name) => read(name).includes('image: cotton-farm'))
  expect(whole.toSorted()).toEqual(['compose.tls.yaml', 'compose.yaml'])
  for (const name of whole) expect([name, read(name)]).toEqual([name, expect.stringContaining('core: 0')])
})

test('a signal opens no debugger in a health check or a command, which run as the user of the signer', () => {
  for (const name of ['compose.yaml', 'compose.tls.yaml'])
    expect([name, read(name)]).toEqual([
      name,
      expect.stringContaining('- node\n        - --disable-sigusr1\n'),
    ])
  expect(read('Containerfile')).toContain('CMD ["node", "--disable-sigusr1", "-e", ')
  expect(read('Containerfile')).toContain('\nENTRYPOINT ["node", "--disable-sigusr1", "server/main.ts"]\n')
})

test('every container starts again after a reboot: Podman starts none that has another policy', () => {
  const policies = files.flatMap((name) => read(name).match(/^ {4}restart: .+$/gm) ?? [])
  expect(policies).toHaveLength(4)
  expect(new Set(policies)).toEqual(new Set(['    restart: always']))
})
