import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { backupFileName, pruneBackups, removePartialBackups } from './backup-files.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cotton-farm-prune-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const world = { genesisHash: 'g', mint: 'm', treasury: 't' }
const dayAt = (day: number) => new Date(Date.UTC(2026, 0, day))
const nameAt = (day: number, of: typeof world | null = world) =>
  backupFileName({ world: of, at: dayAt(day), encrypted: day % 2 === 0 })
const touch = (name: string) => writeFileSync(join(dir, name), '')

test('the oldest backups of this world are removed, and nothing else', () => {
  const other = nameAt(1, { ...world, treasury: 'other' })
  for (const name of [1, 2, 3, 4].map((day) => nameAt(day))) touch(name)
  for (const name of [other, nameAt(1, null), 'notes.txt', 'cotton-farm.tar.zst']) touch(name)
  const pruning = { world, count: 2, newest: nameAt(4), now: dayAt(4) }
  expect(pruneBackups(dir, pruning)).toEqual([nameAt(1), nameAt(2)])
  expect(readdirSync(dir).toSorted()).toEqual(
    [nameAt(3), nameAt(4), other, nameAt(1, null), 'notes.txt', 'cotton-farm.tar.zst'].toSorted(),
  )
})

test('the backup that was just made stays, even if the clock went back', () => {
  for (const name of [5, 6, 1].map((day) => nameAt(day))) touch(name)
  const pruning = { world, count: 1, newest: nameAt(1), now: dayAt(1) }
  expect(pruneBackups(dir, pruning)).toEqual([nameAt(5), nameAt(6)])
  expect(readdirSync(dir)).toEqual([nameAt(1)])
})

test('the backups that a clock has named which was ahead are removed before later ones', () => {
  for (const name of [1, 2, 8, 9, 3].map((day) => nameAt(day))) touch(name)
  const pruning = { world, count: 3, newest: nameAt(3), now: dayAt(3) }
  expect(pruneBackups(dir, pruning)).toEqual([nameAt(8), nameAt(9)])
  expect(readdirSync(dir).toSorted()).toEqual([nameAt(1), nameAt(2), nameAt(3)])
})

test('what a killed backup has left is removed, and neither a finished one nor one of another world', () => {
  const running = `${nameAt(1, { ...world, treasury: 'other' })}.partial`
  const left = [`${nameAt(1)}.partial`, `${nameAt(2)}.partial.chain`]
  for (const name of [...left, nameAt(3), running, 'mine.partial']) touch(name)
  removePartialBackups(dir, world)
  expect(readdirSync(dir).toSorted()).toEqual([nameAt(3), running, 'mine.partial'].toSorted())
})
