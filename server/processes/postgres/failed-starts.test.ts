import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDataDir } from '#tests/support/run-server.ts'
import { startPostgres } from './postgres.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

const settings = ['shared_buffers=16MB', 'max_wal_size=64MB', 'min_wal_size=32MB']

test('a lost password of the owner ends the start with a sentence, and the database with it', async () => {
  const postgres = await startPostgres({ dataDir, settings })
  await postgres.stop()
  rmSync(join(dataDir, 'secrets', 'database-owner'))
  await expect(startPostgres({ dataDir, settings })).rejects.toThrow(
    'secrets/database-owner does not contain the password of the database beside it',
  )
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('a start that fails quotes the log of this start, whatever the log of earlier ones contains', async () => {
  appendFileSync(join(dataDir, 'postgres.log'), 'STATEMENT:  ‚earlier‘ – '.repeat(1_000))
  await expect(startPostgres({ dataDir, settings: ['no_such_setting=1'] })).rejects.toThrow(
    /^The built-in Postgres did not start: .*FATAL: +unrecognized configuration parameter "no_such_setting"/,
  )
})

test('a start on a port that another program has taken fails, and sends that program nothing', async () => {
  let connections = 0
  const other = createServer((socket) => {
    connections++
    socket.destroy()
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  try {
    await expect(startPostgres({ dataDir, settings, port })).rejects.toThrow(
      'could not create any TCP/IP sockets',
    )
    expect(connections).toBe(0)
  } finally {
    other.close()
  }
})

test('a start whose reason could not be logged, as on a full disk, says so', async () => {
  rmSync(join(dataDir, 'postgres.log'))
  symlinkSync('/dev/null', join(dataDir, 'postgres.log'))
  await expect(startPostgres({ dataDir, settings: ['no_such_setting=1'] })).rejects.toThrow(
    'The built-in Postgres did not start: it wrote no reason into postgres.log, as on a full disk.',
  )
})

test('a disk that is full at the first start is named as the reason', async ({ skip }) => {
  const small = join(dataDir, 'small')
  mkdirSync(small)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small]).status === 0
  if (!mounted) return skip('needs the right to mount a small disk')
  try {
    await expect(startPostgres({ dataDir: small, settings })).rejects.toThrow(
      /^The database could not be made in .*small: .*No space left on device/,
    )
  } finally {
    spawnSync('umount', [small])
  }
})

test('a start that cannot create the database of the game ends Postgres', async () => {
  const fresh = makeDataDir()
  try {
    const readOnly = [...settings, 'default_transaction_read_only=on']
    await expect(startPostgres({ dataDir: fresh.dataDir, settings: readOnly })).rejects.toThrow(
      /^The database could not be made in .*: cannot execute CREATE DATABASE in a read-only transaction/,
    )
    expect(existsSync(join(fresh.dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  } finally {
    fresh.remove()
  }
})
