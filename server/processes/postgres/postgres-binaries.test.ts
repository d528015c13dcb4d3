import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { placeCopy } from './postgres-binaries.ts'

const folder = mkdtempSync(join(tmpdir(), 'postgres-binaries-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('everybody can run the copied binaries, although the umask of root is 077', () => {
  const from = join(folder, 'native')
  const copy = join(folder, 'cache', 'postgres-18')
  const umask = process.umask(0o077)
  try {
    mkdirSync(join(from, 'bin'), { recursive: true })
    writeFileSync(join(from, 'bin', 'postgres'), '', { mode: 0o700 })
    writeFileSync(join(from, 'bin', 'library.so.1'), '', { mode: 0o600 })
    symlinkSync('library.so.1', join(from, 'bin', 'library.so'))
    placeCopy({ from, copy })
  } finally {
    process.umask(umask)
  }
  const modes = [dirname(copy), copy, 'bin', 'bin/postgres', 'bin/library.so'].map(
    (path) => statSync(path.startsWith('/') ? path : join(copy, path)).mode & 0o777,
  )
  expect(modes).toEqual([0o755, 0o755, 0o755, 0o755, 0o644])
})
