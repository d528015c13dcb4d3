// Plain JavaScript, so that the wrong Node gets as far as a clear sentence.
import { assertNode } from './assert-node.mjs'

assertNode()
const dev = process.argv.includes('--dev')
const roleArguments = await (dev ? startDevServer() : startProduct())
process.argv.splice(2, Infinity, ...roleArguments)
await import('../server/main.ts')

/** Whatever the settings say wrong is said by the server in a moment; building first would only delay it. */
async function startProduct() {
  const { buildWeb } = await import('./build-web.mjs')
  if (!buildWeb(say)) {
    process.stderr.write('The web app could not be built: see above.\n')
    process.exit(1)
  }
  return ['all']
}

/** The web app comes from Vite with hot reload, on the port of the game; the API stands behind it on a free one. */
async function startDevServer() {
  const { serveWeb } = await import('./serve-web.mjs')
  return serveWeb()
}

/** @param {string} sentence */
function say(sentence) {
  process.stdout.write(`${sentence}\n`)
}
