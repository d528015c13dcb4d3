import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from './matches-etag.ts'

type Headers = Readonly<Record<string, string>>

/** What is sent of a file: its bytes, the headers of the 200 response, and those of the 304 response. */
type Content = { bytes: Buffer; etag: string; ok: Headers; notModified: Headers }

/** A file of the web app: as it is, and compressed by content encoding, the preferred one first, where that is smaller. */
export type WebFile = { plain: Content; encoded: ReadonlyMap<string, Content> }

// The build compresses each file of text with these, and names the results so.
const ENCODINGS = { br: '.br', gzip: '.gz' }
const SUFFIXES = Object.values(ENCODINGS)

const MEDIA_TYPES: Headers = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.m4a': 'audio/mp4',
  '.opus': 'audio/ogg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/**
 * Reads all files of a build into memory, 6 MB, by path, e.g. `/assets/app-1.js`. Empty without a build. Reading a file
 * for each request takes more than four times as long, most of it to check whether a confined role may. And a release that is replaced on
 * the disk goes on with its own files until it restarts.
 */
export function readWebFiles(root: string): ReadonlyMap<string, WebFile> {
  if (!existsSync(root)) return new Map()
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
  const known = new Set(paths)
  const addressOf = (path: string): string => path.slice(root.length).replaceAll('\\', '/')
  // Vite leaves a `.git` in its folder.
  const isHidden = (path: string): boolean => addressOf(path).includes('/.')
  const isCompressed = (path: string): boolean =>
    SUFFIXES.some((suffix) => path.endsWith(suffix) && known.has(path.slice(0, -suffix.length)))
  const read = (path: string) => {
    const address = addressOf(path)
    return [address, readWebFile(path, { address, known })] as const
  }
  return new Map(paths.filter((path) => !isHidden(path) && !isCompressed(path)).map(read))
}

function readWebFile(
  path: string,
  { address, known }: { address: string; known: ReadonlySet<string> },
): WebFile {
  const bytes = readFileSync(path)
  const compressed = Object.entries(ENCODINGS)
    .filter(([, suffix]) => known.has(path + suffix))
    .map(([encoding, suffix]) => [encoding, readFileSync(path + suffix)] as const)
    .filter(([, smaller]) => smaller.length < bytes.length)
  const base = {
    // Names under /assets contain a hash of the content. Everything else is revalidated each time.
    'cache-control': address.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(compressed.length > 0 && { vary: 'accept-encoding' }),
  }
  const type = MEDIA_TYPES[extname(path)] ?? 'application/octet-stream'
  const contentOf = (content: Buffer, encoding: Headers): Content => {
    const etag = `"${hash('sha256', content, 'base64url').slice(0, 22)}"`
    const notModified = { ...base, etag }
    return { bytes: content, etag, notModified, ok: { ...notModified, 'content-type': type, ...encoding } }
  }
  const encoded = compressed.map(
    ([encoding, content]) => [encoding, contentOf(content, { 'content-encoding': encoding })] as const,
  )
  return { plain: contentOf(bytes, {}), encoded: new Map(encoded) }
}

/** Sends the file in the best encoding that the client accepts, or 304 to a client that has it. */
export function sendWebFile(request: FastifyRequest, reply: FastifyReply, file: WebFile): FastifyReply {
  const { 'accept-encoding': accepted = '', 'if-none-match': ifNoneMatch } = request.headers
  const encoding = negotiate(String(accepted), [...file.encoded.keys()])
  const { bytes, etag, ok, notModified } = (encoding && file.encoded.get(encoding)) || file.plain
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag))
    return reply.code(304).headers(notModified).send()
  return reply.code(200).headers(ok).send(bytes)
}
