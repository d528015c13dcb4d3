import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { refuse } from '#server/platform/answer.ts'
import { limitOf } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What an answer is that no route of the api gave: for figures, in which every address would be a row of its own. */
    servedAs: 'page' | null
  }
  interface FastifyContextConfig {
    servedAs?: 'static'
  }
}

/**
 * Serves the built web app: files by name, the page itself for every other path that could be one. Names under /assets
 * carry a hash of their content and may be cached for ever; the page is asked for each time. Without a build only the
 * API answers.
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
  // A scan for paths that do not exist is limited like any other call.
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
  // One count for all files of a caller. They are the routes that follow, and no others.
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
      const hashed = path.includes('/assets/')
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  adding = false
}

/** A file that is not there must not come back as a page: a browser would take HTML for a script or a picture. */
const mayBePage = (path: string): boolean =>
  path !== '/api' && !path.startsWith('/api/') && !path.startsWith('/assets/') && !/\.[^/]*$/.test(path)

/** The HTML that the build made for a page of its own, by address; `_` stands for a part that varies. */
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

/** `/parcels/XX` is a page of `/parcels/_` unless it has one of its own; deeper there is none. */
const findPage = (path: string, pages: ReadonlyMap<string, string>): string | undefined =>
  pages.get(path) ?? pages.get(path.replace(/^(\/[\w-]+)\/[^/]+$/, '$1/_'))
