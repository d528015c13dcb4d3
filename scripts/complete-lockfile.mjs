// Asks the registry for the hashes that package-lock.json lacks, and writes those that it has. No version changes.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertNode } from './assert-node.mjs'

assertNode()
const root = join(import.meta.dirname, '..')
const file = join(process.argv[2] ?? root, 'package-lock.json')
const lockfile = JSON.parse(readFileSync(file, 'utf8'))
const incomplete = Object.entries(lockfile.packages).filter(([path, { integrity }]) => path && !integrity)
let found = 0
const missing = []

for (const [path, entry] of incomplete) {
  const wanted = `${path.split('node_modules/').at(-1)}@${entry.version}`
  const { stdout } = spawnSync('npm', ['view', wanted, 'dist.integrity'], { encoding: 'utf8', cwd: root })
  const integrity = stdout.trim()
  if (/^sha512-[\w+/]{86}==$/.test(integrity)) {
    lockfile.packages[path] = withIntegrity(entry, integrity)
    found++
  } else missing.push(wanted)
}

if (found > 0) writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`)
process.stdout.write(`${found} hashes were added; the registry has none for ${missing.length}.\n`)
for (const wanted of missing.toSorted()) process.stdout.write(`  ${wanted}\n`)

/** Where npm writes it: behind the version. */
function withIntegrity({ version, ...rest }, integrity) {
  return { version, integrity, ...rest }
}
