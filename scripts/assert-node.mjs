import { existsSync } from 'node:fs'

const modules = new URL('../node_modules', import.meta.url)

/**
 * Exits unless the packages are installed and the Node among them runs the program. An npm that ignores scripts has not run the
 * setup, and npm silently falls back to the host's Node.
 */
export function assertNode() {
  if (!existsSync(modules))
    fail(
      'The packages are not installed: run "node scripts/setup.mjs", then start again. npm does so by itself unless its setting ignore-scripts is on.',
    )
  if (process.version.startsWith('v24.')) return
  fail(
    `Cotton Farm needs Node 24 and this is ${process.version}: use "npm start", "npm run dev" or "npm test", which bring it. If npm ignores scripts, run "node scripts/setup.mjs" first.`,
  )
}

/** @param {string} sentence */
function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
