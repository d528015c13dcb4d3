// Plain JavaScript, so that an old Node can still print a clear message.
import { assertNode } from './assert-node.mjs'

assertNode()
const dev = process.argv.includes('--dev')
const roleArguments = await (dev ? startDevServer() : startProduct())
process.argv.splice(2, Infinity, ...roleArguments)
await import('../server/main.ts')

/** With invalid settings nothing is built: the server exits at once and says what is wrong. */
async function startProduct() {
  const { readConfig } = await import('../server/platform/config.ts')
  try {
    readConfig(process.env)
  } catch {
    return ['all']
  }
  const { buildWeb } = await import('./build-web.mjs')
  if (!buildWeb(say)) {
    process.stderr.write('The web app could not be built: see above.\n')
    process.exit(1)
  }
  return ['all']
}

/** Vite serves the web app with hot reload on the port of the game, and forwards API calls to a free port. */
async function startDevServer() {
  const { serveWeb } = await import('./serve-web.mjs')
  return serveWeb()
}

/** @param {string} sentence */
function say(sentence) {
  process.stdout.write(`${sentence}\n`)
}
