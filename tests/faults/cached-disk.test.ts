import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CachedDisk } from './cached-disk.ts'

const SECTOR = 512
const SECTORS = 400

const canServe = process.getuid?.() === 0 && existsSync('/dev/fuse')
if (!canServe) process.stdout.write('Skipped: a disk with a cache needs root and /dev/fuse.\n')

test.skipIf(!canServe)(
  'of a disk with a cache, a cut keeps all that was flushed and any part of the rest',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'cotton-farm-cached-'))
    const image = join(home, 'image')
    writeFileSync(image, Buffer.alloc(2 * SECTORS * SECTOR))
    const disk = new CachedDisk(image)
    try {
      const file = await open(disk.file, 'r+')
      await file.write(Buffer.alloc(SECTORS * SECTOR, 'a'), 0, SECTORS * SECTOR, 0)
      await file.sync()
      await file.write(Buffer.alloc(SECTORS * SECTOR, 'b'), 0, SECTORS * SECTOR, SECTORS * SECTOR)
      const read = Buffer.alloc(2 * SECTORS * SECTOR)
      await file.read(read, 0, read.length, 0)
      expect(read.toString()).toBe('a'.repeat(SECTORS * SECTOR) + 'b'.repeat(SECTORS * SECTOR))
      disk.cut(7)
      await file.close().catch(() => {})

      const left = readFileSync(image)
      const sectors = Array.from({ length: 2 * SECTORS }, (_, at) =>
        left.toString('latin1', at * SECTOR, (at + 1) * SECTOR),
      )
      expect(new Set(sectors.slice(0, SECTORS))).toEqual(new Set(['a'.repeat(SECTOR)]))
      const rest = sectors.slice(SECTORS)
      expect(new Set(rest)).toEqual(new Set(['b'.repeat(SECTOR), '\0'.repeat(SECTOR)]))
      const written = rest.filter((sector) => sector.startsWith('b')).length
      expect(written).toBeGreaterThan(SECTORS / 4)
      expect(written).toBeLessThan((SECTORS * 3) / 4)
    } finally {
      disk.remove()
      rmSync(home, { recursive: true })
    }
  },
)
