import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { syncFolder } from './sync-folder.ts'

// Linux answers the same for a shared folder of VirtualBox.
test.runIf(existsSync('/proc/self'))('a file system that cannot sync folders fails nothing', () => {
  expect(() => syncFolder('/proc')).not.toThrow()
})

test('a folder that is not there fails', () => {
  expect(() => syncFolder('/no/such/folder')).toThrow(/ENOENT/)
})
