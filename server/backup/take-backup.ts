import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { StartupError } from '#server/platform/startup-error.ts'
import { syncFolder } from '#server/platform/sync-folder.ts'
import { checkArchive } from './check-archive.ts'
import { copyLocalChain } from './copy-local-chain.ts'
import { describeFileError } from './file-errors.ts'
import { createFreeSpaceCheck, type CheckFreeSpace } from './check-free-space.ts'
import {
  BACKED_UP_FILES,
  DIGEST_PART,
  filePart,
  FORMAT_VERSION,
  HEAD_PART,
  type Manifest,
  MANIFEST_PART,
  type Table,
  tablePart,
} from './manifest.ts'
import { withSnapshot } from './open-snapshot.ts'
import { openSpool } from './spool.ts'
import { type ArchiveWriter, writeArchive } from './write-archive.ts'

export type BackupOptions = {
  /** The owner's URL of the database. */
  url: string
  dataDir: string
  file: string
  /** An age recipient; '' does not encrypt. */
  recipient: string
  release: string
  onProgress(sentence: string): void
  /** Called after each piece of work. It may wait, and may throw to stop the work. */
  onChunk?(): Promise<void>
  /** Stops the copying of rows, during which no piece of work waits. */
  signal?: AbortSignal
  /** Default: by the free space of the disk. */
  checkFreeSpace?: CheckFreeSpace
}

export type TakenBackup = { file: string; bytes: number; manifest: Manifest }

const NO_SPACE = 'No backup was made. Make room, or use a larger disk.'

/** The rows of a table are stored in parts of this size. */
const PART_BYTES = 4_000_000

/**
 * Makes a backup of the database at one moment, and of the files that a data folder needs besides it. The file gets its
 * name once it was read back and agrees with its manifest. Throws a `StartupError` if the disk or the folder does not
 * permit that, and leaves nothing then.
 */
export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  const { file, recipient } = options
  if (existsSync(file)) throw new StartupError(`${file} exists already: name another file.`)
  const partial = `${file}.partial`
  // A recipient whose key exists only here and now. With it the encrypted file can be read back.
  const checkIdentity = recipient === '' ? null : await identityLike(recipient)
  const recipients = checkIdentity === null ? [] : [recipient, await identityToRecipient(checkIdentity)]
  try {
    rmSync(partial, { force: true })
    await writeArchive(partial, recipients, (writer) => fillArchive(writer, options, `${partial}.chain`))
    options.onProgress('Reading it back …')
    const identities = checkIdentity === null ? [] : [checkIdentity]
    const manifest = await checkArchive({ path: partial, identities }, options.onChunk)
    await rename(partial, file)
    syncFolder(dirname(file))
    return { file, bytes: (await stat(file)).size, manifest }
  } catch (error) {
    if (existsSync(partial)) rmSync(partial)
    throw describeFileError(error, { path: file, outcome: 'No backup was made.' })
  }
}

/** Recipients of the two kinds cannot be mixed in one file. */
const identityLike = (recipient: string): Promise<string> =>
  recipient.startsWith('age1pq1') ? generateHybridIdentity() : generateX25519Identity()

async function fillArchive(writer: ArchiveWriter, options: BackupOptions, chainCopy: string): Promise<void> {
  const { url, dataDir, release, onProgress, onChunk, signal } = options
  const { checkFreeSpace = createFreeSpaceCheck({ folder: dataDir, outcome: NO_SPACE }) } = options
  const head = { format: 'cotton-farm-backup' as const, version: FORMAT_VERSION }
  await writer.add(HEAD_PART, toBytes(head))
  // Each part after the first belongs to the manifest.
  const first = writer.parts.length
  const spool = openSpool(dataDir, checkFreeSpace)
  try {
    // While the snapshot is open Postgres cannot remove old versions of rows, so the copy is fast and simple.
    const snapshot = await withSnapshot(url, async (snapshot) => {
      const tables: Table[] = []
      for (const table of snapshot.tables) {
        onProgress(`Copying table ${tables.length + 1} of ${snapshot.tables.length}: ${table.name}`)
        tables.push({ ...table, rows: await spool.write(table.name, snapshot.copyTable(table), signal) })
      }
      return { ...snapshot, tables }
    })
    // The files are read after the database's moment. A chain that is newer than the ledger is what every restore finds.
    await addFiles(writer, dataDir, chainCopy)
    for (const { name } of snapshot.tables) {
      onProgress(`Compressing table ${name}`)
      await addTable(writer, { name, bytes: spool.read(name), onChunk, checkFreeSpace })
    }
    const { moment, world, migrations, tables } = snapshot
    const parts = writer.parts.slice(first)
    const manifest: Manifest = {
      ...head,
      release,
      moment: moment.toISOString(),
      world,
      migrations,
      tables,
      parts,
    }
    const bytes = toBytes(manifest)
    await writer.add(MANIFEST_PART, bytes)
    await writer.add(DIGEST_PART, Buffer.from(createHash('sha256').update(bytes).digest('hex')))
  } finally {
    spool.remove()
  }
}

const toBytes = (json: object): Buffer => Buffer.from(JSON.stringify(json))

async function addFiles(writer: ArchiveWriter, dataDir: string, chainCopy: string): Promise<void> {
  rmSync(chainCopy, { force: true })
  try {
    for (const name of BACKED_UP_FILES) {
      const isChain = name === 'chain.sqlite'
      const path = isChain ? chainCopy : join(dataDir, name)
      if (isChain) await copyLocalChain(dataDir, chainCopy)
      if (!existsSync(path)) continue
      const { size } = await stat(path)
      await writer.addFile(filePart(name), { path, size })
    }
  } finally {
    rmSync(chainCopy, { force: true })
  }
}

type TableBytes = {
  name: string
  bytes: AsyncIterable<Buffer>
  onChunk: BackupOptions['onChunk']
  checkFreeSpace: CheckFreeSpace
}

async function addTable(
  writer: ArchiveWriter,
  { name, bytes, onChunk, checkFreeSpace }: TableBytes,
): Promise<void> {
  let number = 0
  let size = 0
  let chunks: Buffer[] = []
  const flush = async () => {
    if (size === 0) return
    await writer.add(tablePart(name, ++number), Buffer.concat(chunks))
    chunks = []
    size = 0
  }
  for await (const chunk of bytes) {
    await onChunk?.()
    // The archive may be on the same disk as the rows.
    await checkFreeSpace(chunk.length)
    size += chunk.length
    chunks.push(chunk)
    if (size >= PART_BYTES) await flush()
  }
  await flush()
}
