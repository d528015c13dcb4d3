import { existsSync } from 'node:fs'
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '#server/platform/startup-error.ts'
import { lockFolder } from '#server/processes/lock-folder.ts'
import { stopOrphan } from '#server/processes/postgres/stop-orphan.ts'

const PREFIX = 'cotton-farm-drill-'
const LOCK = 'drill'

export type DrillFolder = { path: string; remove(): Promise<void> }

/**
 * Makes a temporary folder, which is locked until it is removed. First removes those of drills that were killed: they contain a
 * copy of the database, and a Postgres still runs in them.
 */
export async function makeDrillFolder(onProgress: (sentence: string) => void): Promise<DrillFolder> {
  for (const name of await readdir(tmpdir())) {
    const left = join(tmpdir(), name)
    // A drill that has just made its folder has not locked it yet.
    if (!name.startsWith(PREFIX) || !existsSync(join(left, `${LOCK}.lock`))) continue
    if (await removeKilled(left)) onProgress(`${left} is removed: a drill that was killed had left it.`)
  }
  const path = await mkdtemp(join(tmpdir(), PREFIX))
  const unlock = lock(path)
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      unlock()
    },
  }
}

const lock = (path: string): (() => void) =>
  lockFolder(path, { name: LOCK, lockedMessage: `A drill runs in ${path}.`, waitMs: 0 })

/** False if its drill still runs, or it belongs to another user. */
async function removeKilled(path: string): Promise<boolean> {
  let unlock: (() => void) | undefined
  try {
    unlock = lock(path)
    const folders = (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isDirectory())
    for (const { name } of folders) await stopOrphan(join(await realpath(path), name, 'postgres'))
    await rm(path, { recursive: true, force: true })
    return true
  } catch (error) {
    if (error instanceof StartupError) return false
    throw error
  } finally {
    unlock?.()
  }
}
