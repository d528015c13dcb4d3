import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Writes a folder's entries to disk. Without this a power failure may undo a new name in it, a link or a rename. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
