import { closeSync, fsyncSync, openSync } from 'node:fs'
import { errorCode } from './startup-error.ts'

/** Writes a folder's entries to disk. Without this a power failure may undo a new name in it, a link or a rename. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } catch (error) {
    // Some file systems cannot sync a folder, for example shared folders of VirtualBox. Postgres goes on there, too.
    if (errorCode(error) !== 'EINVAL') throw error
  } finally {
    closeSync(folder)
  }
}
