import { createHash } from 'node:crypto'
import { StartupError } from '#server/platform/startup-error.ts'
import {
  DIGEST_PART,
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
  let manifest: Buffer | undefined
  let digest: string | undefined
  for await (const part of readArchive(source)) {
    if (isFirst) assertFormat(part.name === HEAD_PART ? parseJson(await readBytes(part)) : null, source.path)
    else if (part.name === MANIFEST_PART) manifest = await readBytes(part)
    else if (part.name === DIGEST_PART) digest = (await readBytes(part)).toString()
    else found.push(await measurePart(part, rows, onChunk))
    isFirst = false
  }
  if (!manifest || digest === undefined) throw damaged('its end is missing')
  if (createHash('sha256').update(manifest).digest('hex') !== digest) throw damaged('its manifest differs')
  const parsed = parseManifest(parseJson(manifest), damaged)
  assertSameParts(parsed, { found, rows }, damaged)
  return parsed
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

/** Of a part that fits in memory. */
async function readBytes({ content }: ReadPart): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Undefined if it is not JSON. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
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
