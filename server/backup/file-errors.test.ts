import { expect, test } from 'vitest'
import { describeFileError } from './file-errors.ts'

test('a full disk of the database is not reported as the disk of the backup', () => {
  const error = Object.assign(new Error('could not extend file'), { code: '53100' })
  expect(describeFileError(error, { path: '/mnt/backups/a', outcome: 'No backup was made.' })).toHaveProperty(
    'message',
    'The disk of the database is full. No backup was made. Make room, or use another disk.',
  )
})
