import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { nameFolder } from './name-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'name-folder-'))
afterAll(() => rmSync(root, { recursive: true }))

test('two folders with one path and one host name, as on two machines, have different names', () => {
  const [path, other] = [join(root, 'data'), join(root, 'other')]
  mkdirSync(path)
  const name = nameFolder(path)
  writeFileSync(join(path, 'file'), '')
  expect(nameFolder(path)).toBe(name)
  renameSync(path, other)
  mkdirSync(path)
  expect(nameFolder(path)).not.toBe(name)
  rmSync(path, { recursive: true })
  renameSync(other, path)
  expect(nameFolder(path)).toBe(name)
})
