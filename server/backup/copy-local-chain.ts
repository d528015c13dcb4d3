import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'

/** The chain writes while its file is copied. */
const WAIT_MS = 5_000

/** All pages in one step: SQLite starts again if the file changes between two steps. */
const ALL_PAGES = 2 ** 31 - 1

/** Copies the state of the local chain at one moment. False if the data folder has none. */
export async function copyLocalChain(dataDir: string, to: string): Promise<boolean> {
  const path = join(dataDir, 'chain.sqlite')
  if (!existsSync(path)) return false
  const chain = new DatabaseSync(path, { readOnly: true, timeout: WAIT_MS })
  try {
    await backup(chain, to, { rate: ALL_PAGES })
  } finally {
    chain.close()
  }
  return true
}
