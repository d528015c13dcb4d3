import { open } from 'node:fs/promises'

/** Writes a folder's entries to disk. Without this a power failure may undo a rename in it. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
