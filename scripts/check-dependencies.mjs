// Checks the packages: hashes, licences, install scripts, signatures of the registry and known advisories. What cannot be
// checked is reported, and fails the command like a finding.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** @typedef {{ version: string, license?: string, integrity?: string, hasInstallScript?: boolean }} Entry */
/** @typedef {{ status: number | null, stdout: string, stderr: string }} Output */

const root = resolve(import.meta.dirname, '..')

/** Licences that a game may ship or build with. A new one needs a decision, and a row here. */
const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PSF-2.0',
])

/**
 * What is wrong with the entries of a lockfile.
 *
 * @param {Record<string, Entry>} entries
 * @param {Record<string, boolean>} allowScripts the packages whose install scripts may run
 */
export function checkLockfile(entries, allowScripts) {
  const packages = Object.entries(entries).filter(([path]) => path !== '')
  const nameOf = (/** @type {string} */ path) => path.slice(path.lastIndexOf('node_modules/') + 13)
  const withScript = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => nameOf(path))
  return [
    ...packages
      .filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
      .map(([path]) => `${path} has no SHA-512 hash`),
    ...packages
      .filter(([, { license }]) => !LICENCES.has(license ?? ''))
      .map(([path, { license }]) => `${path} has the licence ${license ?? 'unknown'}`),
    ...withScript
      .filter((name) => !allowScripts[name])
      .map((name) => `${name} has an install script that package.json does not allow`),
    ...Object.keys(allowScripts)
      .filter((name) => !withScript.includes(name))
      .map((name) => `${name} is allowed an install script that it does not have`),
  ]
}

/**
 * What `npm audit` says.
 *
 * @param {Output} output
 */
export function readAdvisories({ stdout, stderr }) {
  const report = parse(stdout)
  if (!report?.vulnerabilities) return [`could not be checked: ${reasonOf(report, stderr)}`]
  return Object.values(report.vulnerabilities).map(
    ({ name, severity, range }) => `${name} ${range} has an advisory of severity ${severity}`,
  )
}

/**
 * What `npm audit signatures` says.
 *
 * @param {Output} output
 */
export function readSignatures({ stdout, stderr }) {
  const report = parse(stdout)
  if (!Array.isArray(report?.invalid)) return [`could not be checked: ${reasonOf(report, stderr)}`]
  const named = (/** @type {{ name: string, version: string }[]} */ list) =>
    list.map(({ name, version }) => `${name}@${version}`)
  return [
    ...named(report.invalid).map((each) => `${each} has an invalid signature`),
    ...named(report.missing ?? []).map((each) => `${each} has no signature`),
  ]
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * @param {{ message?: string, error?: { summary?: string } } | null} report
 * @param {string} stderr
 */
function reasonOf(report, stderr) {
  const lines = stderr
    .split('\n')
    .flatMap((line) => /^npm error (?!A complete log)(.+)$/.exec(line)?.[1] ?? [])
  return report?.error?.summary || report?.message || lines.at(-1) || 'npm gave no answer'
}

/** @param {string[]} args */
const npm = (...args) =>
  spawnSync('npm', [...args, '--json', '--fetch-retries=0'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    timeout: 300_000,
  })

if (import.meta.main) {
  /** @param {string} file */
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const { packages } = read('package-lock.json')
  /** @type {[string, string[]][]} */
  const checks = [
    ['hashes, licences, install scripts', checkLockfile(packages, read('package.json').allowScripts)],
    ['known advisories', readAdvisories(npm('audit'))],
    ['signatures of the registry', readSignatures(npm('audit', 'signatures'))],
  ]
  for (const [name, findings] of checks) {
    console.log(findings.length === 0 ? `ok      ${name}` : `FAILED  ${name}`)
    for (const finding of findings) console.log(`        ${finding}`)
  }
  console.log(`${Object.keys(packages).length - 1} packages, for all platforms.`)
  if (checks.some(([, findings]) => findings.length > 0)) process.exitCode = 1
}
