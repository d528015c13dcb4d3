import { expect, test } from 'vitest'
import { sharedBuffersMb, maxWalGb } from './postgres.ts'

const GB = 1024 ** 3
// What Node answers where nothing is forbidden: nothing, or more than there is.
const UNLIMITED = [0, 2 ** 64]

test('Postgres keeps pages in a quarter of the memory, and at most in 8 GB', () => {
  for (const allowed of UNLIMITED) {
    expect(sharedBuffersMb({ memory: 24 * GB, allowed })).toBe(6 * 1024)
    expect(sharedBuffersMb({ memory: 256 * GB, allowed })).toBe(8 * 1024)
    expect(sharedBuffersMb({ memory: GB / 4, allowed })).toBe(128)
  }
})

test('what a container may use counts, not what its machine has', () => {
  expect(sharedBuffersMb({ memory: 256 * GB, allowed: 2 * GB })).toBe(512)
})

test('the log takes an eighth of a disk, and at most 8 GB', () => {
  expect(maxWalGb(20 * GB)).toBe(2)
  expect(maxWalGb(4 * GB)).toBe(1)
  expect(maxWalGb(1000 * GB)).toBe(8)
})
