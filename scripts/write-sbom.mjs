// Writes the software bill of materials of a release, for all platforms: CycloneDX in .build/, from package-lock.json.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** The packages that the game runs with, and those marked as development that build and test it. The same lockfile gives the same text. */
export function writeSbom() {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--offline'],
    { cwd: root, encoding: 'utf8', shell: process.platform === 'win32', maxBuffer: 64 * 1024 * 1024 },
  )
  if (status !== 0) throw new Error(`npm could not write the list: ${stderr}`)
  const sbom = JSON.parse(stdout)
  delete sbom.serialNumber
  delete sbom.metadata.timestamp
  // npm takes the name of the folder.
  sbom.metadata.component.name = 'cotton-farm'
  sbom.metadata.component.type = 'application'
  return `${JSON.stringify(sbom, null, 2)}\n`
}

if (import.meta.main) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const file = join(root, '.build', `cotton-farm-${version}.cdx.json`)
  mkdirSync(join(root, '.build'), { recursive: true })
  writeFileSync(file, writeSbom())
  console.log(`Wrote ${file}`)
}
