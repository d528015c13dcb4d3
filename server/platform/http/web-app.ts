import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { refuse } from '#server/platform/answer.ts'
import { limitOf } from './rate-limits.ts'
import { readWebFiles, sendWebFile, type WebFile } from './web-files.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The kind of a response without an API route. Metrics use it as label instead of the URL. */
    servedAs: 'static' | 'page' | null
  }
}

/**
 * Serves the built web app where no route does: files by name, and a page for every other path that can be a page. Without a
 * build, only the API is served.
 */
export function serveWebApp(app: FastifyInstance, root: string, { limited }: { limited: boolean }): void {
  const files = readWebFiles(root)
  const pages = listPages(files)
  const start = files.get('/index.html')
  const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'
  const findFile = (request: FastifyRequest): WebFile | undefined =>
    start && isReading(request) ? files.get(pathOf(request)) : undefined
  app.decorateRequest('servedAs', null)
  // All files share one limit. Requests for unknown paths are limited like any other.
  const limits = limited && { file: app.rateLimit(limitOf('file')), other: app.rateLimit(limitOf('read')) }
  const preHandler: preHandlerAsyncHookHandler = async function (request, reply) {
    const isFile = findFile(request) !== undefined
    if (isFile) request.servedAs = 'static'
    if (limits) await (isFile ? limits.file : limits.other).call(this, request, reply)
  }
  app.setNotFoundHandler({ preHandler }, (request, reply) => {
    const file = findFile(request)
    if (file) return sendWebFile(request, reply, file)
    const path = pathOf(request)
    if (!start || !isReading(request) || !mayBePage(path)) refuse('route_unknown')
    request.servedAs = 'page'
    return sendWebFile(request, reply, findPage(path, pages) ?? start)
  })
}

/** The path without its query. Names of files contain characters that some clients encode. */
function pathOf({ url }: FastifyRequest): string {
  const path = url.split('?', 1)[0]!
  try {
    return decodeURI(path)
  } catch {
    return path
  }
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

const PAGE_FILE = /^\/pages(\/.+)\.html$/

/** The prerendered pages by path. `_` stands for a variable segment. */
function listPages(files: ReadonlyMap<string, WebFile>): ReadonlyMap<string, WebFile> {
  const pages = [...files].flatMap(([path, file]) => {
    const page = PAGE_FILE.exec(path)?.[1]
    return page === undefined ? [] : [[page === '/index' ? '/' : page, file] as const]
  })
  return new Map(pages)
}

/** `/parcels/XX` is served by `/parcels/_` unless it has its own file. Deeper paths have no prerendered page. */
const findPage = (path: string, pages: ReadonlyMap<string, WebFile>): WebFile | undefined =>
  pages.get(path) ?? pages.get(path.replace(/^(\/[\w-]+)\/[^/]+$/, '$1/_'))
