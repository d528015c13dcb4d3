import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { createZstdDecompress } from 'node:zlib'
import { Decrypter } from 'age-encryption'
import { extract } from 'tar-stream'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'

/** One part of an archive. Its content can be read until the next part. */
export type ReadPart = { name: string; content: AsyncIterable<Uint8Array> }

export type ArchiveSource = {
  path: string
  /** The age identities that may open it. */
  identities: readonly string[]
}

/**
 * The file is damaged, is no backup, or has rows that no database accepts. Neither another key nor another program restores
 * it.
 */
export class UnusableBackup extends StartupError {}

const AGE_MAGIC = Buffer.from('age-encryption.org/')
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * Reads the parts of an archive in order. Throws a `StartupError` if the file cannot be read, is not a backup, needs
 * another identity, or is damaged.
 */
export async function* readArchive({ path, identities }: ArchiveSource): AsyncGenerator<ReadPart> {
  const isEncrypted = await detectEncryption(path)
  const tar = extract()
  const reading = pipeline(
    createReadStream(path),
    isEncrypted ? decryptWith(identities, path) : passOn,
    createZstdDecompress(),
    tar,
  )
  // The loops over parts and contents fail with it, or with an error that says less.
  reading.catch(() => undefined)
  const explain = async (error: unknown): Promise<StartupError> => {
    tar.destroy()
    const cause = (await failureOf(reading)) ?? error
    if (cause instanceof StartupError) return cause
    if (errorCode(cause) === 'EIO')
      return new UnusableBackup(`${path} cannot be read: the disk reports an error.`)
    return damagedBackup(path, cause instanceof Error ? cause.message : String(cause))
  }
  const parts = tar[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await parts.next().catch(async (error: unknown) => Promise.reject(await explain(error)))
      if (next.done) break
      const content = bytesOf(next.value, explain)
      yield { name: next.value.header.name, content }
      await drain(content)
    }
    await reading.catch(async (error: unknown) => Promise.reject(await explain(error)))
  } finally {
    tar.destroy()
  }
}

export const damagedBackup = (path: string, reason: string): UnusableBackup =>
  new UnusableBackup(
    `${path} is damaged or incomplete (${reason.replace(/\.$/, '')}): use another backup, or copy this one again from where it came.`,
  )

async function detectEncryption(path: string): Promise<boolean> {
  const start = Buffer.alloc(AGE_MAGIC.length)
  try {
    const file = await open(path)
    try {
      await file.read(start, 0, start.length, 0)
    } finally {
      await file.close()
    }
  } catch (error) {
    const reason = errorCode(error) === 'ENOENT' ? 'it does not exist' : errorCode(error)
    throw new StartupError(
      `The backup ${path} cannot be read (${reason}): check its name and its permissions.`,
    )
  }
  if (start.equals(AGE_MAGIC)) return true
  if (start.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC)) return false
  throw new UnusableBackup(
    `${path} is not a backup of Cotton Farm, or its beginning is damaged: check its name.`,
  )
}

async function* bytesOf(
  entry: AsyncIterable<unknown>,
  explain: (error: unknown) => Promise<StartupError>,
): AsyncGenerator<Uint8Array> {
  const chunks = entry[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await chunks
      .next()
      .catch(async (error: unknown) => Promise.reject(await explain(error)))
    if (done) return
    if (value instanceof Uint8Array) yield value
  }
}

async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    await work
    return undefined
  } catch (error) {
    return error
  }
}

/** The next part comes only after all of this one, which the caller may have skipped. */
async function drain(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of content) void chunk
}

async function* passOn(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* source
}

function decryptWith(identities: readonly string[], path: string) {
  return async function* decrypt(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    if (identities.length === 0) {
      throw new StartupError(
        `${path} is encrypted: name the file with the key of its recipient, --identity <file>.`,
      )
    }
    const decrypter = new Decrypter()
    for (const identity of identities) decrypter.addIdentity(identity)
    yield* await openWith(decrypter, ReadableStream.from(source), path)
  }
}

async function openWith(decrypter: Decrypter, source: ReadableStream<Uint8Array>, path: string) {
  try {
    return await decrypter.decrypt(source)
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no identity matched'))
      throw new StartupError(
        `The key of --identity does not open ${path}: it is encrypted for another recipient (BACKUP_RECIPIENT when it was made).`,
      )
    throw error
  }
}
