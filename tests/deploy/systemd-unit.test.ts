import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const ROLES = ['api', 'watcher', 'signer', 'console']
const UNITS = ['cotton-farm.service', ...ROLES.map((role) => `cotton-farm-${role}.service`)]

const read = (name: string) => readFileSync(join(ROOT, 'deploy/systemd', name), 'utf8')

const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })

test.for(UNITS)('systemd accepts %s and rates its exposure at most 2.0 of 10', (name, { skip }) => {
  if (analyze('--version').status !== 0) return skip('systemd-analyze is not installed here')
  const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-unit-'))
  const unit = join(folder, name)
  // Verification wants a program that exists.
  writeFileSync(unit, read(name).replaceAll('/opt/cotton-farm', ROOT))
  const verified = analyze('verify', '--man=no', unit)
  const rated = analyze('security', '--offline=true', '--threshold=20', unit)
  rmSync(folder, { recursive: true })
  expect([verified.status, verified.stderr]).toEqual([0, ''])
  expect(rated.status, rated.stdout).toBe(0)
})

test('of separate roles each has a Unix user of its own, and only that of the signer owns files', () => {
  for (const role of ROLES) {
    const unit = read(`cotton-farm-${role}.service`)
    expect(unit, role).toMatch(new RegExp(`^EnvironmentFile=/etc/cotton-farm/${role}\\.env$`, 'm'))
    expect(unit, role).toMatch(new RegExp(`^ExecStart=.* server/main\\.ts ${role}$`, 'm'))
    // A dynamic user has the name of the unit, and owns nothing.
    const owner =
      role === 'signer'
        ? ['User=cotton-farm', 'Group=cotton-farm', 'StateDirectory=cotton-farm']
        : ['DynamicUser=yes']
    const stated = unit.match(/^(?:DynamicUser|User|Group|StateDirectory|ReadWritePaths)=.*$/gm)
    expect(stated, role).toEqual(owner)
  }
})

test('where the kernel ends one role for lack of memory, the others go on', () => {
  expect(read('cotton-farm.service')).toMatch(/^OOMPolicy=continue$/m)
})

test('the units start after what waits for the right time, because pickers are paid from their hire', () => {
  for (const name of UNITS) expect(read(name)).toMatch(/^After=.* time-sync\.target$/m)
})

test('no process that crashes writes its memory, with passwords and the seed, to the disk', () => {
  for (const name of [...UNITS, 'cotton-farm-backup.service']) expect(read(name)).toMatch(/^LimitCORE=0$/m)
})

test('a signal opens no debugger in a backup or a command, which have the password of the owner', () => {
  for (const name of ['systemd/cotton-farm-backup.service', 'README.md'])
    expect(readFileSync(join(ROOT, 'deploy', name), 'utf8')).toContain(
      '/node_modules/.bin/node --disable-sigusr1 server/main.ts ',
    )
})

test('a backup by timer has the settings of the commands, which the documents say how to write', () => {
  const [path] = /\/etc\/\S+\.env/.exec(readFileSync(join(ROOT, 'deploy/README.md'), 'utf8'))!
  expect(read('cotton-farm-backup.service')).toMatch(new RegExp(`^EnvironmentFile=${path}$`, 'm'))
})

test('systemd accepts the service and the timer of backups', ({ skip }) => {
  if (analyze('--version').status !== 0) return skip('systemd-analyze is not installed here')
  const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-unit-'))
  const units = ['cotton-farm-backup.service', 'cotton-farm-backup.timer'].map((name) => {
    writeFileSync(join(folder, name), read(name).replaceAll('/opt/cotton-farm', ROOT))
    return join(folder, name)
  })
  const verified = analyze('verify', '--man=no', ...units)
  rmSync(folder, { recursive: true })
  expect([verified.status, verified.stderr]).toEqual([0, ''])
})
