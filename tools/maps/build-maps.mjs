// Generates the land table (game/land-table.ts) and the maps (web/art/maps/*.json) from data/land-areas.csv,
// countries-list and world-atlas. With --check it writes nothing and exits with 1 if a file is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertNode } from '../../scripts/assert-node.mjs'

assertNode()
const { mapFiles } = await import('./map-files.ts')

const root = join(import.meta.dirname, '../..')
/** @param {string} path */
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
const stale = mapFiles().filter(({ path, text }) => read(join(root, path)) !== text)

if (process.argv.includes('--check')) {
  if (stale.length) console.error(`Run \`npm run maps\`: ${stale.map(({ path }) => path).join(', ')}`)
  process.exitCode = stale.length ? 1 : 0
} else {
  for (const { path, text } of stale) {
    writeFileSync(join(root, path), text)
    console.log(`${path}: ${text.length} characters`)
  }
}
