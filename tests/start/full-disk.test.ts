import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDataDir } from '#tests/support/run-server.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

const place = join(dataDir, 'mounted')
mkdirSync(place)

/** Runs a role on a data folder with a disk of this size. Null if none can be mounted. */
function runOnDisk(size: string, role: string, settings: Record<string, string> = {}) {
  const run = `'${process.execPath}' server/main.ts ${role}; echo "status $?"; find '${place}' -type f`
  const script = `mount -t tmpfs -o size=${size} tmpfs '${place}' || exit 77; ${run}`
  const env = { PATH: process.env.PATH, DATA_DIR: place, PORT: '0', CHAIN_RPC_PORT: '0', ...settings }
  const { status, stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script], {
    encoding: 'utf8',
    env,
  })
  return status === 0 ? { stdout, stderr } : null
}

test('a first start on a full disk names it and what it needs, and leaves no file', ({ skip }) => {
  for (const role of ['all', 'migrate']) {
    const ended = runOnDisk('20m', role)
    if (!ended) return skip('nothing can be mounted here')
    expect(ended.stderr).toMatch(
      /^The disk of \S+ is full: it has 20 MB left, and a new game needs 100 MB\. .* Nothing was created\.\n$/,
    )
    expect(ended.stdout).toBe('status 1\n')
  }
})

test('a local chain that finds the disk full at its first start says so', ({ skip }) => {
  const ended = runOnDisk('4k', 'local-chain')
  if (!ended) return skip('nothing can be mounted here')
  expect(ended.stderr).toMatch(/^The disk of \S+ is full \(database or disk is full\): make room, .*\n$/)
  expect(ended.stdout).toMatch(/^status 1$/m)
})

test('a password that a full disk refuses leaves no part of it', ({ skip }) => {
  for (const role of ['all', 'migrate']) {
    // The first password fits.
    const ended = runOnDisk('4k', role, {
      DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/farm',
      SOLANA_RPC_URL: 'http://127.0.0.1:1',
      COTTON_MINT: 'So11111111111111111111111111111111111111112',
    })
    if (!ended) return skip('nothing can be mounted here')
    expect(ended.stderr).toMatch(
      /^The disk of \S+ is full \(ENOSPC: no space left on device.*\): make room, .*\n$/,
    )
    const left = ended.stdout.trimEnd().split('\n')
    expect(left.filter((each) => !each.endsWith('.lock'))).toEqual([
      'status 1',
      join(place, 'secrets/database-api'),
    ])
  }
})
