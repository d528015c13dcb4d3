import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFreeBytes } from './read-free-bytes.ts'

test('the free bytes are a part of the disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'free-'))
  const { blocks, bsize } = statfsSync(folder)
  const free = readFreeBytes(folder)
  rmSync(folder, { recursive: true })
  expect(free).toBeGreaterThan(0)
  expect(free).toBeLessThanOrEqual(blocks * bsize)
})

test.runIf(existsSync('/proc/self'))('a file system that does not say its size has no number', () => {
  expect(readFreeBytes('/proc')).toBeNull()
})
