// Makes what the game knows of its land (game/land-table.ts) and the maps (web/art/maps/*.json) from
// data/land-areas.csv, countries-list and world-atlas. With --check nothing is written: stale files end it with code 1.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertNode } from './assert-node.mjs'

assertNode()
const { worldFiles } = await import('./world/world-files.mjs')

const root = join(import.meta.dirname, '..')
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
const stale = worldFiles().filter(({ path, text }) => read(join(root, path)) !== text)

if (process.argv.includes('--check')) {
  if (stale.length) console.error(`Run \`npm run build-world\`: ${stale.map(({ path }) => path).join(', ')}`)
  process.exitCode = stale.length ? 1 : 0
} else {
  for (const { path, text } of stale) {
    writeFileSync(join(root, path), text)
    console.log(`${path}: ${text.length} characters`)
  }
}
