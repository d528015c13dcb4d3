import { createHash } from 'node:crypto'
import { StartupError } from '#server/platform/startup-error.ts'
import {
  FORMAT_VERSION,
  Head,
  HEAD_PART,
  Manifest,
  MANIFEST_PART,
  type Part,
  tableOfPart,
} from './manifest.ts'
import { type ArchiveSource, damagedBackup, readArchive, type ReadPart } from './read-archive.ts'

/**
 * Reads a whole backup and compares each part with the manifest. Returns the manifest. Throws a `StartupError` if anything
 * differs, or if a newer program made it. Stops with what `onChunk` throws.
 */
export async function checkArchive(
  source: ArchiveSource,
  onChunk: () => Promise<void> = async () => {},
): Promise<Manifest> {
  const damaged = (reason: string) => damagedBackup(source.path, reason)
  const found: Part[] = []
  const rows = new Map<string, number>()
  let isFirst = true
  let manifest: Manifest | undefined
  for await (const part of readArchive(source)) {
    if (manifest) throw damaged(`${part.name} follows the manifest`)
    if (isFirst) assertFormat(part.name === HEAD_PART ? await readJson(part) : null, source.path)
    else if (part.name === MANIFEST_PART) manifest = parseManifest(await readJson(part), damaged)
    else found.push(await measurePart(part, rows, onChunk))
    isFirst = false
  }
  if (!manifest) throw damaged('its end is missing')
  assertSameParts(manifest, { found, rows }, damaged)
  return manifest
}

type Damaged = (reason: string) => StartupError

function assertFormat(json: unknown, path: string): void {
  const { data: head } = Head.safeParse(json)
  if (!head) throw damagedBackup(path, 'it does not begin like a backup')
  if (head.version > FORMAT_VERSION) {
    throw new StartupError(
      `${path} has the format ${head.version}, and this program reads up to ${FORMAT_VERSION}: use the release that made it, or a newer one.`,
    )
  }
}

function parseManifest(json: unknown, damaged: Damaged): Manifest {
  const { data, error } = Manifest.safeParse(json)
  if (!data) throw damaged(`its manifest is not valid: ${error.issues[0]?.path.join('.')}`)
  return data
}

/** Of a part that fits in memory. Undefined if it is not JSON. */
export async function readJson({ content }: ReadPart): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

async function measurePart(
  { name, content }: ReadPart,
  rows: Map<string, number>,
  onChunk: () => Promise<void>,
): Promise<Part> {
  const table = tableOfPart(name)
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of content) {
    hash.update(chunk)
    size += chunk.length
    await onChunk()
    if (table !== undefined) rows.set(table, (rows.get(table) ?? 0) + countRows(chunk))
  }
  return { name, size, sha256: hash.digest('hex') }
}

/** In the text format of COPY each row ends with a newline, and a newline in a value is escaped. */
export function countRows(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count++
  return count
}

const NEWLINE = 10

function assertSameParts(
  manifest: Manifest,
  { found, rows }: { found: readonly Part[]; rows: ReadonlyMap<string, number> },
  damaged: Damaged,
): void {
  const expected = manifest.parts
  if (found.length !== expected.length)
    throw damaged(`${expected.length} parts expected, ${found.length} found`)
  for (const [at, { name, size, sha256 }] of found.entries()) {
    const part = expected[at]
    if (part?.name !== name || part.size !== size || part.sha256 !== sha256) throw damaged(`${name} differs`)
  }
  for (const table of manifest.tables)
    if ((rows.get(table.name) ?? 0) !== table.rows) throw damaged(`the rows of ${table.name} differ`)
  const known = new Set(manifest.tables.map((table) => table.name))
  for (const name of rows.keys()) if (!known.has(name)) throw damaged(`${name} is not in the manifest`)
}
