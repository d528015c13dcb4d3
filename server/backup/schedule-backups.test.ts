import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { findReason, scheduleBackups } from './schedule-backups.ts'

test('backups go on if the time of the last one cannot be written, and each time the log says so', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'schedule-backups-'))
  // A folder in its place fails like a disk without space, also for root.
  const stamp = join(dataDir, 'last-backup')
  mkdirSync(stamp)
  utimesSync(stamp, 0, 0)
  const errors: string[] = []
  const log = {
    info: () => undefined,
    error: (_of: unknown, sentence: string) => void errors.push(sentence),
  } as unknown as Log
  const config = { ...readConfig({ DATA_DIR: dataDir }), backupIntervalMs: 20 }
  let backups = 0
  const backup = async () => ({ code: 0, output: `backup ${++backups}` })
  const schedule = scheduleBackups({ config, clock: systemClock, log, backup, firstDelayMs: 0 })
  try {
    await expect.poll(() => backups).toBeGreaterThan(2)
  } finally {
    await schedule.stop()
    rmSync(dataDir, { recursive: true })
  }
  expect(errors.length).toBeGreaterThanOrEqual(backups - 1)
  for (const sentence of errors)
    expect(sentence).toMatch(
      /^The backup is made, but its time cannot be written to .*last-backup: the next start makes another backup$/,
    )
})

test('a last backup in the future, made while the clock was wrong, delays no other', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'schedule-backups-'))
  const stamp = join(dataDir, 'last-backup')
  writeFileSync(stamp, '')
  const inAYear = Date.now() / 1_000 + 31_536_000
  utimesSync(stamp, inAYear, inAYear)
  const log = { info: () => undefined, error: () => undefined } as unknown as Log
  const config = { ...readConfig({ DATA_DIR: dataDir }), backupIntervalMs: 3_600_000 }
  const made = Promise.withResolvers<void>()
  const backup = async () => {
    made.resolve()
    return { code: 0, output: '' }
  }
  const schedule = scheduleBackups({ config, clock: systemClock, log, backup, firstDelayMs: 0 })
  await made.promise
  await schedule.stop()
  rmSync(dataDir, { recursive: true })
})

test('a scheduled backup starts no database, and fails where none runs', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'schedule-backups-'))
  mkdirSync(join(dataDir, 'postgres'))
  const failed = Promise.withResolvers<{ reason: string }>()
  const log = { info: () => undefined, error: failed.resolve } as unknown as Log
  const config = { ...readConfig({ DATA_DIR: dataDir }), backupDir: dataDir, backupIntervalMs: 3_600_000 }
  const schedule = scheduleBackups({ config, clock: systemClock, log, firstDelayMs: 0 })
  expect((await failed.promise).reason).toBe('The built-in Postgres does not run.')
  await schedule.stop()
  rmSync(dataDir, { recursive: true })
})

test('a backup that became due while the machine slept is made soon after it wakes', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'schedule-backups-'))
  const stamp = join(dataDir, 'last-backup')
  writeFileSync(stamp, '')
  const aMinuteAgo = Date.now() / 1_000 - 60
  utimesSync(stamp, aMinuteAgo, aMinuteAgo)
  const log = { info: () => undefined, error: () => undefined } as unknown as Log
  const config = { ...readConfig({ DATA_DIR: dataDir }), backupIntervalMs: 3_600_000 }
  const [made, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let readings = 0
  let sleptMs = 0
  const clock = {
    now: () => {
      if (++readings === 3) waited.resolve()
      return new Date(Date.now() + sleptMs)
    },
  }
  let backups = 0
  const backup = async () => {
    backups += 1
    made.resolve()
    return { code: 0, output: '' }
  }
  const schedule = scheduleBackups({ config, clock, log, backup, firstDelayMs: 0, checkEveryMs: 1 })
  await waited.promise
  expect(backups).toBe(0)
  // The clock of a machine that sleeps goes on, and its timers do not.
  sleptMs = 8 * 3_600_000
  await made.promise
  await schedule.stop()
  rmSync(dataDir, { recursive: true })
})

test('a backup whose process the system could not start is tried again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'schedule-backups-'))
  const errors: unknown[] = []
  const log = { error: (...of: unknown[]) => void errors.push(of) } as unknown as Log
  const databaseUrl = 'x'.repeat(3_000_000)
  const config = { ...readConfig({ DATA_DIR: dataDir }), backupIntervalMs: 20, databaseUrl }
  const schedule = scheduleBackups({ config, clock: systemClock, log, firstDelayMs: 0 })
  const failure = [
    { reason: expect.stringContaining('E2BIG') },
    'The scheduled backup failed and is tried again',
  ]
  try {
    await expect.poll(() => errors.slice(0, 2)).toEqual([failure, failure])
  } finally {
    await schedule.stop()
    rmSync(dataDir, { recursive: true })
  }
})

test('the log names the signal that has ended a backup', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'schedule-backups-'))
  const bin = join(dataDir, 'node')
  // As the system ends a process for which it has no memory.
  writeFileSync(bin, '#!/bin/sh\necho "Copying table 1 of 30: accounts" >&2\nkill -KILL $$\n', {
    mode: 0o755,
  })
  const { execPath } = process
  const failed = Promise.withResolvers<unknown[]>()
  const log = { error: (...of: unknown[]) => failed.resolve(of) } as unknown as Log
  const databaseUrl = 'postgres://owner@127.0.0.1/farm'
  const config = { ...readConfig({ DATA_DIR: dataDir }), databaseUrl, backupIntervalMs: 3_600_000 }
  process.execPath = bin
  const schedule = scheduleBackups({ config, clock: systemClock, log, firstDelayMs: 0 })
  try {
    expect(await failed.promise).toEqual([
      { reason: 'its process was ended by SIGKILL' },
      'The scheduled backup failed and is tried again',
    ])
  } finally {
    process.execPath = execPath
    await schedule.stop()
    rmSync(dataDir, { recursive: true })
  }
})

test('a failed backup is logged with its sentence, or with the error above a stack', () => {
  const progress = 'Copying table 1 of 30: accounts\n'
  expect(findReason(`${progress}The disk is full.\n`)).toBe('The disk is full.')
  const crash =
    'file:///srv/farm/server/main.ts:9\n  throw error\n  ^\n\nError: no space\n    at fill (file:///a.ts:1:2)\n    at b\n\nNode.js v24.11.0\n'
  expect(findReason(progress + crash)).toBe('Error: no space')
})
