import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readPasswords } from '#server/platform/db/roles.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'
import { syncFolder } from '#server/platform/sync-folder.ts'
import { startPostgres } from '#server/processes/postgres/postgres.ts'
import { checkArchive } from './check-archive.ts'
import { type CheckFreeSpace, checkEach } from './check-free-space.ts'
import { describeFileError } from './file-errors.ts'
import { assertKnownSchema, dropEverything, loadDatabase, lockForRestore } from './load-database.ts'
import { BACKED_UP_FILES, filePart, type Manifest } from './manifest.ts'
import { type ArchiveSource, readArchive } from './read-archive.ts'

/** The operator copies the seed and the newer list of signed payouts into these, which no backup has to contain. */
const FOLDERS = ['keys', 'secrets', 'signed']

export type RestoreOptions = ArchiveSource & {
  /** The new data folder: it does not exist yet, or is empty. */
  into: string
  /** The owner's URL of an empty database; '' restores into the built-in Postgres of the new folder. */
  databaseUrl: string
  env: NodeJS.ProcessEnv
  onProgress(sentence: string): void
  /** Stops the work. */
  signal?: AbortSignal
  /** Default: goes on until the disk is full. */
  checkFreeSpace?: CheckFreeSpace
}

/**
 * Makes a data folder from a backup. It works in a folder beside it, which gets its name at the end, so that a failure
 * leaves nothing. Throws a `StartupError` that names the remedy.
 */
export async function restoreFolder(options: RestoreOptions): Promise<Manifest> {
  const { into, path, identities, databaseUrl, onProgress, signal } = options
  await assertEmptyFolder(into)
  for (const left of await findDrafts(into))
    onProgress(`${left} is what a killed restore left. Remove it, unless another restore is at work.`)
  onProgress(`Checking ${path} …`)
  const source = { path, identities }
  const manifest = await checkArchive(source, async () => assertNotStopped(signal))
  assertKnownSchema(manifest)
  let draft: string | undefined
  let unlock: (() => Promise<void>) | undefined
  try {
    if (databaseUrl) unlock = await lockForRestore(databaseUrl)
    draft = await mkdtemp(draftPrefix(into))
    for (const name of FOLDERS) await mkdir(join(draft, name), { mode: 0o700 })
    await restoreFiles(source, { ...options, draft })
    await restoreDatabase(source, { ...options, draft, manifest })
    await nameFolder(draft, options)
    return manifest
  } catch (error) {
    if (draft) await rm(draft, { recursive: true, force: true })
    throw describeFileError(error, { path: into, outcome: 'Nothing was restored.' })
  } finally {
    await unlock?.()
  }
}

/** Gives the finished folder its name. If that fails, the operator's database becomes empty again, like the folder. */
async function nameFolder(draft: string, { into, databaseUrl }: RestoreOptions): Promise<void> {
  try {
    syncFolder(draft)
    await rename(draft, into)
  } catch (error) {
    if (databaseUrl) await dropEverything(databaseUrl)
    throw error
  }
  syncFolder(dirname(into))
}

function assertNotStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new StartupError('Stopped. Nothing was restored.')
}

const draftPrefix = (into: string): string => join(dirname(into), `.${basename(into)}-restoring-`)

async function findDrafts(into: string): Promise<string[]> {
  const names = await readdir(dirname(into)).catch(() => [])
  return names.map((name) => join(dirname(into), name)).filter((path) => path.startsWith(draftPrefix(into)))
}

async function assertEmptyFolder(path: string): Promise<void> {
  let names: string[]
  try {
    names = await readdir(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    if (errorCode(error) === 'ENOTDIR') throw new StartupError(`${path} is a file: name a new folder.`)
    throw describeFileError(error, { path: join(path, 'x'), outcome: 'Nothing was restored.' })
  }
  if (names.length > 0)
    throw new StartupError(`The folder ${path} is not empty: name a new one. Nothing was restored.`)
  // A folder cannot be renamed to one on which a disk is mounted.
  if ((await stat(path)).dev !== (await stat(dirname(path))).dev)
    throw new StartupError(
      `${path} is a disk of its own: name a new folder in it, such as ${join(path, 'data')}. Nothing was restored.`,
    )
}

async function restoreFiles(
  source: ArchiveSource,
  { draft, checkFreeSpace, signal }: RestoreOptions & { draft: string },
): Promise<void> {
  // Only names that this program knows, so that no archive can write elsewhere.
  const targets = new Map<string, string>(BACKED_UP_FILES.map((name) => [filePart(name), join(draft, name)]))
  // The tables, too, are read up to their end, which takes minutes.
  for await (const part of readArchive(source)) {
    assertNotStopped(signal)
    const target = targets.get(part.name)
    if (target === undefined) continue
    const content = checkEach(part.content, checkFreeSpace)
    // A stream that opens the file itself could create it while the folder is removed after a failure.
    const file = await open(target, 'wx', 0o600)
    await pipeline(content, file.createWriteStream({ flush: true }))
  }
}

async function restoreDatabase(
  source: ArchiveSource,
  {
    databaseUrl,
    env,
    draft,
    manifest,
    onProgress,
    signal,
    checkFreeSpace,
  }: RestoreOptions & { draft: string; manifest: Manifest },
): Promise<void> {
  const secretsDir = join(draft, 'secrets')
  const load = (url: string, ownCluster: boolean) =>
    loadDatabase(source, {
      url,
      ownCluster,
      manifest,
      passwords: readPasswords({ env, secretsDir }),
      onProgress,
      signal,
      checkFreeSpace,
    })
  if (databaseUrl) {
    await load(databaseUrl, false)
    return
  }
  const postgres = await startPostgres({ dataDir: draft, onProgress })
  try {
    await load(postgres.url, true)
  } finally {
    await postgres.stop()
  }
}
