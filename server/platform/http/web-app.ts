import type { FastifyInstance, FastifyRequest } from 'fastify'
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
  app.decorateRequest('servedAs', null)
  app.setNotFoundHandler(limited ? { preHandler: limitFilesApart(app, files) } : {}, (request, reply) => {
    const path = pathOf(request)
    const file = files.get(path)
    const wanted = request.method === 'GET' || request.method === 'HEAD'
    if (!start || !wanted || !(file || mayBePage(path))) refuse('route_unknown')
    request.servedAs = file ? 'static' : 'page'
    return sendWebFile(request, reply, file ?? findPage(path, pages) ?? start)
  })
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!

/** All files share one limit. Requests for unknown paths are limited like any other. */
function limitFilesApart(app: FastifyInstance, files: ReadonlyMap<string, WebFile>) {
  const [limitFile, limitOther] = [app.rateLimit(limitOf('file')), app.rateLimit(limitOf('read'))]
  const limit: typeof limitFile = function (request, reply) {
    return (files.has(pathOf(request)) ? limitFile : limitOther).call(this, request, reply)
  }
  return limit
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
