import { expect, test } from 'vitest'
import { explainFullDisk } from './explain-full-disk.ts'

const failure = (message: string, fields: object) => Object.assign(new Error(message), fields)

test('a file that a full disk refuses is a sentence with the folder, also from SQLite', () => {
  const message = 'ENOSPC: no space left on device, write'
  expect(explainFullDisk(failure(message, { code: 'ENOSPC' }), '/data')?.message).toBe(
    'The disk of /data is full (ENOSPC: no space left on device, write): make room, or set DATA_DIR to a folder on another disk, then start again.',
  )
  const full = failure('database or disk is full', { code: 'ERR_SQLITE_ERROR', errcode: 13 })
  expect(explainFullDisk(full, '/data')?.message).toMatch(/^The disk of \/data is full \(database or disk/)
})

test('another error stays as it is', () => {
  const busy = failure('database is locked', { code: 'ERR_SQLITE_ERROR', errcode: 5 })
  const watchers = failure('ENOSPC: System limit for file watchers', { code: 'ENOSPC', syscall: 'watch' })
  const errors = [failure('EACCES: permission denied', { code: 'EACCES' }), busy, watchers]
  expect(errors.map((error) => explainFullDisk(error, '/data'))).toEqual([undefined, undefined, undefined])
})
