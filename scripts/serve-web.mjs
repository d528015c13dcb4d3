import { createServer } from 'vite'
import { readConfig } from '../server/platform/config.ts'
import { reservePort, findFreePort } from '#server/processes/ports.ts'
import { StartupError } from '#server/platform/startup-error.ts'

/**
 * Starts Vite with hot reload on the game's port and forwards API calls to a free port. Returns the arguments for the server,
 * whose settings are changed accordingly.
 */
export async function serveWeb() {
  try {
    const config = readConfig(process.env)
    const port = config.port || (await findFreePort())
    await reservePort(port, { settings: ['PORT', 'HOST'], host: config.host })
    const apiPort = await findFreePort()
    await serve({ host: config.host, port, apiPort })
    process.env.PUBLIC_URL ||= `http://localhost:${port}`
    process.env.PORT = String(apiPort)
    process.env.HOST = '127.0.0.1'
    return ['all', '--watch']
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** @param {{ host: string, port: number, apiPort: number }} ports */
async function serve({ host, port, apiPort }) {
  const target = `http://127.0.0.1:${apiPort}`
  const proxy = {
    '^/(api/|healthz|readyz)': { target },
    '/ws': { target, ws: true },
    '^/(\\?.*)?$': { target, ws: true, bypass: onlyGameSockets },
  }
  const vite = await createServer({ logLevel: 'warn', server: { host, port, strictPort: true, proxy } })
  await vite.listen()
}

/**
 * The game's socket shares the path `/` with the page and with Vite's socket for hot reload.
 * @type {NonNullable<import('vite').ProxyOptions['bypass']>}
 */
function onlyGameSockets(request, response) {
  const isVites = request.headers['sec-websocket-protocol']?.startsWith('vite-')
  return response || isVites ? request.url : undefined
}
