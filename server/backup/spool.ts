import { createReadStream, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { countRows } from './check-archive.ts'
import { describeFileError } from './file-errors.ts'
import type { CheckFreeSpace } from './check-free-space.ts'

const PREFIX = 'backup-rows-'

/** Rows between the database and the archive. They are in the data folder, which is as private as the database. */
export type Spool = {
  /** Stores the rows of a table, and returns their number. Stops when `signal` aborts. */
  write(table: string, rows: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<number>
  read(table: string): AsyncIterable<Buffer>
  remove(): void
}

/** Errors of its disk name the data folder, which is rarely on the disk of the backup. */
export function openSpool(dataDir: string, checkFreeSpace: CheckFreeSpace): Spool {
  const explain = (error: unknown) =>
    describeFileError(error, { path: join(dataDir, PREFIX), outcome: 'No backup was made.' })
  const dir = makeSpoolFolder(dataDir, explain)
  const pathOf = (table: string) => join(dir, table)
  return {
    async write(table, rows, signal) {
      let count = 0
      try {
        // A stream that opens the file itself could create it while the folder is removed after a stop.
        const file = await open(pathOf(table), 'wx', 0o600)
        await pipeline(
          rows,
          async function* (chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              await checkFreeSpace(chunk.length)
              count += countRows(chunk)
              yield chunk
            }
          },
          file.createWriteStream(),
          { signal },
        )
      } catch (error) {
        throw explain(error)
      }
      return count
    },
    read: (table) => createReadStream(pathOf(table)),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

function makeSpoolFolder(dataDir: string, explain: (error: unknown) => unknown): string {
  try {
    return mkdtempSync(join(dataDir, PREFIX))
  } catch (error) {
    throw explain(error)
  }
}

/** Removes what backups that were killed have left. The caller has made sure that none runs. */
export function removeOldSpools(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(PREFIX)) rmSync(join(dataDir, name), { recursive: true, force: true })
}
