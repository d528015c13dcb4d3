import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkLockfile, readAdvisories, readSignatures } from '../scripts/check-dependencies.mjs'
import { writeSbom } from '../scripts/write-sbom.mjs'

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8')

type Entry = {
  version: string
  license?: string
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
}

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> }
const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }

test('every package has a hash and a known licence, and install scripts run by name only', () => {
  expect(checkLockfile(packages, allowScripts)).toEqual([])
  expect(read('.npmrc')).toMatch(/^strict-allow-scripts=true$/m)
})

test('the image installs its packages by the same rules', () => {
  const [before = ''] = read('deploy/container/Containerfile').split('RUN npm ci')
  expect(before).toMatch(/^COPY package\.json package-lock\.json \.npmrc \.\/$/m)
  expect(read('.dockerignore')).not.toContain('npmrc')
})

test('the lockfile names no host, so packages come from the configured registry', () => {
  expect(Object.keys(packages).filter((path) => packages[path]!.resolved !== undefined)).toEqual([])
})

test('a package without a hash, with another licence or with a new install script is reported', () => {
  const added = {
    ...packages,
    'node_modules/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/b/node_modules/@c/d': {
      version: '1.0.0',
      license: 'SSPL-1.0',
      integrity: packages['node_modules/pg']!.integrity!,
    },
    'node_modules/e': { ...packages['node_modules/pg']!, hasInstallScript: true },
  }
  expect(checkLockfile(added, { ...allowScripts, pg: true })).toEqual([
    'node_modules/a has no SHA-512 hash',
    'node_modules/b/node_modules/@c/d has the licence SSPL-1.0',
    'e has an install script that package.json does not allow',
    'pg is allowed an install script that it does not have',
  ])
})

const said = (report: object | string, stderr = '') => ({
  status: 1,
  stdout: typeof report === 'string' ? report : JSON.stringify(report),
  stderr,
})

test('advisories and signatures pass only if the registry has answered', () => {
  expect(readAdvisories(said({ vulnerabilities: {} }))).toEqual([])
  expect(
    readAdvisories(said({ vulnerabilities: { x: { name: 'x', severity: 'high', range: '<2' } } })),
  ).toEqual(['x <2 has an advisory of severity high'])
  const refused = { message: '405 Method Not Allowed', error: { summary: '', detail: '' } }
  expect(readAdvisories(said(refused))).toEqual(['could not be checked: 405 Method Not Allowed'])
  expect(readAdvisories(said(''))).toEqual(['could not be checked: npm gave no answer'])
  expect(readSignatures(said({ invalid: [], missing: [] }))).toEqual([])
  const bad = { invalid: [{ name: 'x', version: '1.0.0' }], missing: [{ name: 'y', version: '2.0.0' }] }
  expect(readSignatures(said(bad))).toEqual(['x@1.0.0 has an invalid signature', 'y@2.0.0 has no signature'])
  const offline =
    'npm error code ENOTFOUND\nnpm error network no connection\nnpm error A complete log of this run'
  expect(readSignatures(said('', offline))).toEqual(['could not be checked: network no connection'])
})

type Component = { name: string; version: string; purl: string; hashes?: object[]; licenses?: object[] }

test('the bill of materials lists every package with hash and licence, always alike', () => {
  const text = writeSbom()
  const sbom = JSON.parse(text) as {
    bomFormat: string
    metadata: { component: { name: string; version: string } }
    components: Component[]
  }
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(sbom.bomFormat).toBe('CycloneDX')
  expect(sbom.metadata.component).toMatchObject({ name: 'cotton-farm', version })
  const listed = new Set(sbom.components.map(({ name, version: of }) => `${name} ${of}`))
  const locked = Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => `${path.split('node_modules/').at(-1)} ${entry.version}`)
  expect(locked.length).toBeGreaterThan(400)
  expect(locked.filter((each) => !listed.has(each))).toEqual([])
  const bare = sbom.components.filter(({ purl, hashes, licenses }) => !purl || !hashes || !licenses)
  expect(bare.map(({ name }) => name)).toEqual([])
  expect(text).not.toMatch(/serialNumber|timestamp/)
})
