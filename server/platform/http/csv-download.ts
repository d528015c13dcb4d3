import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A value of a CSV cell. Numbers are written by us; a text may come from anyone. */
export type Cell = { number: string } | string | null

/** A reply that is sent row by row while it is read. The reader's pace decides how fast, so memory stays flat. */
export class CsvDownload {
  readonly fileName: string
  readonly rows: AsyncIterable<readonly (readonly Cell[])[]>

  constructor(fileName: string, rows: AsyncIterable<readonly (readonly Cell[])[]>) {
    this.fileName = fileName
    this.rows = rows
  }
}

/**
 * One record as RFC 4180 has it. Spreadsheets execute cells that begin with =, +, -, @, a tab or a line break, so a text
 * that does gets an apostrophe (OWASP, CSV injection). A number keeps its sign.
 */
export function encodeRecord(cells: readonly Cell[]): string {
  return `${cells.map(encodeCell).join(',')}\r\n`
}

function encodeCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return cell.number
  const text = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// Spreadsheets take a file without it for the system's own encoding.
const BYTE_ORDER_MARK = '\uFEFF'

async function* encode({ rows }: CsvDownload): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK
  for await (const page of rows) yield page.map(encodeRecord).join('')
}

export function sendCsv(reply: FastifyReply, download: CsvDownload): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-type', 'text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${download.fileName}"`)
    .send(Readable.from(encode(download), { objectMode: false, highWaterMark: 64 * 1024 }))
}
