import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { CONSOLE_ROUTES } from '#contract/console/routes.ts'
import { assert } from '#server/platform/assert.ts'
import { createHttpServer } from '#server/platform/http/http-server.ts'
import { serveWebApp } from '#server/platform/http/web-app.ts'
import { refuseUnknownHosts } from './check-host.ts'
import type { ConsoleDeps } from './console-deps.ts'
import { actRoutes, readRoutes, sessionRoutes } from './routes.ts'
import { createConsoleServe } from './serve-console.ts'

/** The folder of the built pages. */
export const PAGES = join(import.meta.dirname, '../../.build/console')

const NO_PAGES =
  'The pages of the console are not built: run "npm run build" in the folder of the game, and start the console again.\n'

/** Builds the console from its dependencies. It does not listen yet. */
export async function createConsole(deps: ConsoleDeps, pages: string = PAGES): Promise<FastifyInstance> {
  const { consoleUrl: publicUrl, trustProxy, rateLimits: limited } = deps.config
  const app = await createHttpServer({ publicUrl, trustProxy, limited }, deps.log)
  refuseUnknownHosts(app, deps.config)
  await app.register(async (scope) => {
    const { serve, served } = createConsoleServe(scope, deps)
    sessionRoutes(serve, deps)
    readRoutes(serve, deps)
    actRoutes(serve, deps)
    for (const [name, route] of Object.entries(CONSOLE_ROUTES))
      assert(served.has(route), `nothing serves ${name}`)
  })
  if (!existsSync(join(pages, 'index.html')))
    app.get('/', (_request, reply) => reply.status(503).type('text/plain; charset=utf-8').send(NO_PAGES))
  serveWebApp(app, pages, { limited })
  return app
}
