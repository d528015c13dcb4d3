import { expect, test } from 'vitest'
import { sharedBuffersMb, maxWalGb } from './postgres.ts'

const GB = 1024 ** 3
// What Node returns without a memory limit: 0, or more than the machine has.
const UNLIMITED = [0, 2 ** 64]

test('shared_buffers is a quarter of the memory, at most 8 GB', () => {
  for (const allowed of UNLIMITED) {
    expect(sharedBuffersMb({ memory: 24 * GB, allowed })).toBe(6 * 1024)
    expect(sharedBuffersMb({ memory: 256 * GB, allowed })).toBe(8 * 1024)
    expect(sharedBuffersMb({ memory: GB / 4, allowed })).toBe(128)
  }
})

test('the memory limit of a container counts, not the memory of its machine', () => {
  expect(sharedBuffersMb({ memory: 256 * GB, allowed: 2 * GB })).toBe(512)
})

test('max_wal_size is an eighth of the disk, at most 8 GB', () => {
  expect(maxWalGb(20 * GB)).toBe(2)
  expect(maxWalGb(4 * GB)).toBe(1)
  expect(maxWalGb(1000 * GB)).toBe(8)
})
