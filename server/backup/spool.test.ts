import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openSpool } from './spool.ts'

test('a table whose copying is stopped gets no file later, which would appear while the folder is removed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-spool-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const spool = openSpool(dir, async () => {})
  const stopped = AbortSignal.abort()
  const listFiles = () => readdirSync(dir, { recursive: true })
  for (let table = 1; table <= 20; table++) {
    const writing = spool.write(`table-${table}`, neverEnds(), stopped)
    await expect(writing).rejects.toThrow('Stopped. No backup was made.')
    const files = listFiles()
    await sleep(10)
    expect(listFiles()).toEqual(files)
  }
  spool.remove()
  expect(listFiles()).toEqual([])
})

/** Rows without an end, as a stream like that of COPY: one that is an iterator waits for the file. */
const neverEnds = () =>
  new Readable({
    read() {
      setTimeout(() => this.push('row\n'), 1)
    },
  })
