import { readFreeBytes } from '#server/platform/read-free-bytes.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { formatBytes } from './format-bytes.ts'

/** What a backup or a drill leaves free for the built-in Postgres, which ends when it cannot write its log. */
const RESERVED_BYTES = 256_000_000

/** The free space is read after so many bytes, so smaller work is not stopped. */
const READ_EVERY_BYTES = 16_000_000

/** Called with the bytes that are about to be written. Stops the work with a `StartupError`. */
export type CheckFreeSpace = (bytes: number) => Promise<void>

/** Stops work before it fills the disk of a folder. `outcome` says what was not done, and the remedy. */
export function createFreeSpaceCheck(
  { folder, outcome }: { folder: string; outcome: string },
  readFree = readFreeBytes,
): CheckFreeSpace {
  let unreadBytes = 0
  return async (bytes) => {
    unreadBytes += bytes
    if (unreadBytes < READ_EVERY_BYTES) return
    unreadBytes = 0
    const free = readFree(folder)
    if (free === null || free >= RESERVED_BYTES) return
    throw new StartupError(
      `The disk of ${folder} has only ${formatBytes(free)} left, which the database needs. ${outcome}`,
    )
  }
}

/** The same chunks, each checked before it is passed on. */
export async function* checkEach(
  chunks: AsyncIterable<Uint8Array>,
  checkFreeSpace?: CheckFreeSpace,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    await checkFreeSpace?.(chunk.length)
    yield chunk
  }
}
