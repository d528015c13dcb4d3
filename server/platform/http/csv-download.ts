import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A value of a CSV cell. Numbers are written by us; a text may come from anyone. */
export type Cell = { number: string } | string | null

/**
 * A reply that is sent row by row while it is read. The reader's pace decides how fast, so memory stays flat. A page may be
 * empty, where a search has found nothing yet: it goes on only if the reader is still there.
 */
export class CsvDownload {
  readonly fileName: string
  readonly rows: AsyncIterable<readonly (readonly Cell[])[]>

  constructor(fileName: string, rows: AsyncIterable<readonly (readonly Cell[])[]>) {
    this.fileName = fileName
    this.rows = rows
  }
}

/**
 * Records as RFC 4180 has them. Spreadsheets execute cells that begin with a sign of a formula, so a text that does gets
 * an apostrophe (OWASP, CSV injection). A number keeps its sign. Spreadsheets read a file without a byte order mark in
 * the encoding of the system.
 */
export function encodeRecords(records: readonly (readonly Cell[])[], isFirst = false): string {
  return stringify([...records], {
    bom: isFirst,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    escape_formulas: true,
    cast: { object: (cell) => ({ value: (cell as { number: string }).number, escape_formulas: false }) },
  })
}

async function* encode({ rows }: CsvDownload, { socket }: FastifyRequest['raw']): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of rows) {
    // A connection without traffic is closed, and a page without rows is none.
    if (socket.timeout !== undefined) socket.setTimeout(socket.timeout)
    yield encodeRecords(page, isFirst)
    isFirst = false
  }
}

export function sendCsv(reply: FastifyReply, download: CsvDownload): FastifyReply {
  // For HEAD, Fastify reads a stream to its end, as fast as it can and also when the client is gone.
  const text = reply.request.method === 'HEAD' ? [] : encode(download, reply.request.raw)
  return reply
    .header('cache-control', 'no-store')
    .header('content-type', 'text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${download.fileName}"`)
    .send(Readable.from(text, { objectMode: false, highWaterMark: 64 * 1024 }))
}
