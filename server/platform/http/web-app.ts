import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { refuse } from '#server/platform/answer.ts'
import { limitOf } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The kind of a response without an API route. Metrics use it as label instead of the URL. */
    servedAs: 'page' | null
  }
  interface FastifyContextConfig {
    servedAs?: 'static'
  }
}

/**
 * Serves the built web app: files by name, and a page for every other path that can be a page. Names under /assets contain
 * a content hash and are cached forever; pages are revalidated each time. Without a build, only the API is served.
 */
export async function serveWebApp(
  app: FastifyInstance,
  root: string,
  { limited }: { limited: boolean },
): Promise<void> {
  const built = existsSync(join(root, 'index.html'))
  const pages = readPages(root)
  app.decorateRequest('servedAs', null)
  if (built) await serveFiles(app, root, { limited })
  // Requests for unknown paths are rate-limited like any other.
  const options = limited ? { preHandler: app.rateLimit(limitOf('read')) } : {}
  app.setNotFoundHandler(options, (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const wantsPage = request.method === 'GET' || request.method === 'HEAD'
    if (!built || !wantsPage || !mayBePage(path)) refuse('route_unknown')
    request.servedAs = 'page'
    return reply.header('cache-control', 'no-cache').sendFile(findPage(path, pages) ?? 'index.html')
  })
}

async function serveFiles(
  app: FastifyInstance,
  root: string,
  { limited }: { limited: boolean },
): Promise<void> {
  // One rate limit for all files. The hook applies to the routes of the static plugin only.
  const onRequest = limited ? app.rateLimit(limitOf('file')) : undefined
  let adding = true
  app.addHook('onRoute', (route) => {
    if (!adding) return
    route.config = { ...route.config, servedAs: 'static' }
    if (onRequest) route.onRequest = onRequest
  })
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(root, 'assets', sep))
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  adding = false
}

/**
 * A missing file must not be answered with a page: a browser would take the HTML for a script or an image. A regular
 * expression for a dot in the last segment takes quadratic time, a fraction of a second for a path of dots.
 */
const mayBePage = (path: string): boolean =>
  path !== '/api' &&
  !path.startsWith('/api/') &&
  !path.startsWith('/assets/') &&
  path.lastIndexOf('.') < path.lastIndexOf('/')

/** The prerendered HTML files by path. `_` stands for a variable segment. */
function readPages(root: string): ReadonlyMap<string, string> {
  const folder = join(root, 'pages')
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  )
  const addressOf = (file: string) => `/${file.replaceAll('\\', '/').slice(0, -'.html'.length)}`
  return new Map(
    files.map((file) => [file === 'index.html' ? '/' : addressOf(file), join('pages', file)] as const),
  )
}

/** `/parcels/XX` is served by `/parcels/_` unless it has its own file. Deeper paths have no prerendered page. */
const findPage = (path: string, pages: ReadonlyMap<string, string>): string | undefined =>
  pages.get(path) ?? pages.get(path.replace(/^(\/[\w-]+)\/[^/]+$/, '$1/_'))
