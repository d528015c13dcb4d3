import { expect, test } from 'vitest'
import { createFreeSpaceCheck } from './check-free-space.ts'

test('a backup stops before the disk of the data folder is full, and a small one does not', async () => {
  let free: number | null = 255_000_000
  const place = { folder: '/data', outcome: 'No backup was made.' }
  const checkFreeSpace = createFreeSpaceCheck(place, () => free)
  await checkFreeSpace(15_000_000)
  await expect(checkFreeSpace(1_000_000)).rejects.toThrow(
    /^The disk of \/data has only 255\.0 MB left, which the database needs\. No backup was made\./,
  )
  free = 256_000_000
  await checkFreeSpace(16_000_000)
  // A file system that does not say its size stops nothing.
  free = null
  await checkFreeSpace(16_000_000)
})
