// Plain JavaScript, so that an old Node can still print a clear message.
import { assertNode } from './assert-node.mjs'

assertNode()
let roleArguments = ['all']
if (process.argv.includes('--dev')) {
  const { serveWeb } = await import('./serve-web.mjs')
  roleArguments = await serveWeb()
} else await buildProduct()
process.argv.splice(2, Infinity, ...roleArguments)
await import('../server/main.ts')

/** With invalid settings nothing is built: the server exits at once and says what is wrong. */
async function buildProduct() {
  const { readConfig } = await import('../server/platform/config.ts')
  try {
    readConfig(process.env)
  } catch {
    return
  }
  const { buildWeb } = await import('./build-web.mjs')
  if (buildWeb((sentence) => process.stdout.write(`${sentence}\n`))) return
  process.stderr.write('The web app could not be built: see above.\n')
  process.exit(1)
}
