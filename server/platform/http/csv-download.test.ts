import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { type Cell, CsvDownload, encodeRecords, sendCsv } from './csv-download.ts'

/** Reads one file as RFC 4180 has it. */
function parse(text: string): string[][] {
  const records: string[][] = [[]]
  for (const [whole, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (whole === '' && end === '') break
    records.at(-1)!.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
    if (end === '\r\n') records.push([])
  }
  return records.slice(0, -1)
}

const FORMULA = /^[=+\-@\t\r＝＋－＠]/

test.each([
  ['=HYPERLINK("http://evil.test")', `"'=HYPERLINK(""http://evil.test"")"`],
  ['+1', `'+1`],
  ['-1+1', `'-1+1`],
  ['@SUM(A1)', `'@SUM(A1)`],
  ['\t=1', `'\t=1`],
  ['\r=1', `"'\r=1"`],
  ['＝1', `'＝1`],
  ['a,b', '"a,b"'],
  ['plain', 'plain'],
])('the text %j is written as %j', (text, written) => {
  expect(encodeRecords([[text]])).toBe(`${written}\r\n`)
})

test('numbers keep their sign', () => {
  expect(encodeRecords([[{ number: '-1.5' }, null, { number: '3' }]])).toBe('-1.5,,3\r\n')
})

test('whatever texts a record has, it is read back, and no cell begins a formula', () => {
  const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('=1', '-"', '+,', '@\r\n', '\t"', ''))
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 6 }), (cells: Cell[]) => {
      const [read] = parse(encodeRecords([cells]))
      expect(read).toHaveLength(cells.length)
      for (const [at, text] of read!.entries()) {
        expect(text).not.toMatch(FORMULA)
        expect([cells[at], `'${String(cells[at])}`]).toContain(text)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a file is an attachment in UTF-8 that no cache stores; HEAD has its headers and reads no row', async () => {
  let read = 0
  async function* readRows() {
    for (; read < 3; read++) yield [[`row ${read}`]]
  }
  const app = Fastify()
  app.get('/file', (_request, reply) => sendCsv(reply, new CsvDownload('rows.csv', readRows())))
  const head = await app.inject({ method: 'HEAD', url: '/file' })
  await nextTurn()
  expect([head.statusCode, head.body, read]).toEqual([200, '', 0])
  const file = await app.inject('/file')
  expect([file.body.trim(), read]).toEqual(['row 0\r\nrow 1\r\nrow 2', 3])
  for (const { headers } of [head, file])
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="rows.csv"',
      'cache-control': 'no-store',
    })
  await app.close()
})

test('a search that finds no row for long is not cut off as an idle connection', async () => {
  async function* readRows(): AsyncGenerator<Cell[][]> {
    yield [['head']]
    for (let page = 0; page < 8; page++) {
      await sleep(100)
      yield []
    }
    yield [['found']]
  }
  const app = Fastify({ connectionTimeout: 400 })
  app.get('/file', (_request, reply) => sendCsv(reply, new CsvDownload('rows.csv', readRows())))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  expect(await (await fetch(`${address}/file`)).text()).toMatch(/head\r\nfound\r\n$/)
  await app.close()
})
