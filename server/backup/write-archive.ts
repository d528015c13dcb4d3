import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { ReadableStream } from 'node:stream/web'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { Encrypter } from 'age-encryption'
import { pack } from 'tar-stream'
import type { Part } from './manifest.ts'

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Adds parts to an archive. Each call waits until the disk has taken most of it, so memory stays flat. */
export type ArchiveWriter = {
  add(name: string, bytes: Uint8Array): Promise<void>
  /** Adds the first `size` bytes of a file that may be growing. */
  addFile(name: string, source: { path: string; size: number }): Promise<void>
  /** What was added so far. */
  parts: readonly Part[]
}

// With its checksum, other programs notice changed bytes, too. Node ignores the last bytes of a stream, so the manifest
// has its own hash.
const ZSTD = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

/**
 * Writes a new file: a tar archive, compressed with Zstandard, and encrypted with age if there are recipients. The file is
 * on disk when this returns. Rejects with the error of the file system; the caller removes the file.
 */
export async function writeArchive(
  path: string,
  recipients: readonly string[],
  fill: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const tar = pack()
  // A stream that opens the file itself could create it after the caller has removed it.
  const file = (await open(path, 'wx', 0o600)).createWriteStream({ flush: true })
  const written = pipeline(tar, createZstdCompress(ZSTD), encryptFor(recipients), file)
  const failed = written.then(() => new Promise<never>(() => {}))
  failed.catch(() => undefined)
  const parts: Part[] = []
  const addChunks = async (name: string, size: number, chunks: Chunks) => {
    const hash = createHash('sha256')
    const entry = tar.entry({ name, size, mode: 0o600 })
    for await (const chunk of chunks) {
      hash.update(chunk)
      if (!entry.write(chunk)) await once(entry, 'drain')
    }
    entry.end(null)
    await once(entry, 'finish')
    parts.push({ name, size, sha256: hash.digest('hex') })
  }
  const writer: ArchiveWriter = {
    add: (name, bytes) => Promise.race([addChunks(name, bytes.length, [bytes]), failed]),
    addFile: (name, { path: source, size }) =>
      Promise.race([
        addChunks(name, size, size === 0 ? [] : createReadStream(source, { end: size - 1 })),
        failed,
      ]),
    parts,
  }
  try {
    await fill(writer)
    tar.finalize()
  } catch (error) {
    tar.destroy(error instanceof Error ? error : new Error(String(error)))
    // If the file failed first, its error says why.
    await written
    throw error
  }
  await written
}

/** Encrypts a stream for all recipients, or passes it on if there are none. */
function encryptFor(recipients: readonly string[]) {
  return async function* encrypt(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    if (recipients.length === 0) {
      yield* source
      return
    }
    const encrypter = new Encrypter()
    for (const recipient of recipients) encrypter.addRecipient(recipient)
    yield* await encrypter.encrypt(ReadableStream.from(source))
  }
}
