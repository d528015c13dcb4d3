import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { lockFolder } from '../server/processes/lock-folder.ts'

const root = resolve(import.meta.dirname, '..')
const inputs = [
  'web',
  'game',
  'contract',
  'vite.config.ts',
  'vite.console.config.ts',
  'scripts/build-plugins.ts',
  'scripts/bundle-parts.ts',
  'scripts/prerender-pages.ts',
  'scripts/included-sheets.ts',
  'scripts/page-files.ts',
  'scripts/inline-landscape.ts',
  'scripts/share-files.ts',
  'package-lock.json',
]
const stamp = join(root, '.build', 'web.stamp')

const LONGEST_BUILD_MS = 600_000

/** The game's pages, and those of the operators' console. Each is built into a folder of its name in `.build/next`. */
const BUILDS = { web: 'vite.config.ts', console: 'vite.console.config.ts' }

/**
 * Builds the web app into `.build/web` and the operators' console into `.build/console` if one of their files changed.
 * True if they are built.
 * @param {(sentence: string) => void} say
 */
export function buildWeb(say) {
  const wanted = fingerprint()
  if (isBuilt(wanted)) return true
  say('Building the web app …')
  let unlock
  try {
    const folder = join(root, '.build')
    mkdirSync(folder, { recursive: true })
    const lockedMessage = 'another process builds there'
    unlock = lockFolder(folder, { name: 'build', lockedMessage, waitMs: LONGEST_BUILD_MS })
    // Another process may have built it meanwhile.
    if (isBuilt(wanted)) return true
    rmSync(stamp, { force: true })
    if (!Object.values(BUILDS).every((config) => runVite(config, say))) return false
    for (const name of Object.keys(BUILDS)) replaceFolder(name)
    writeFileSync(stamp, wanted)
    return true
  } catch (error) {
    // The disk is full, or the checkout is another user's.
    const reason = error instanceof Error ? error.message : String(error)
    say(`${join(root, '.build')} cannot be written: ${reason}`)
    return false
  } finally {
    unlock?.()
  }
}

/** @param {string} wanted */
const isBuilt = (wanted) =>
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === wanted &&
  Object.keys(BUILDS).every((name) => existsSync(join(root, '.build', name, 'index.html')))

/**
 * Puts a complete build in place of the last one. A role that starts in between would keep what it reads of half a build.
 * @param {string} name
 */
function replaceFolder(name) {
  const folder = join(root, '.build', name)
  const [next, last] = [join(root, '.build', 'next', name), join(root, '.build', 'next', `${name}-before`)]
  rmSync(last, { recursive: true, force: true })
  if (existsSync(folder)) renameSync(folder, last)
  renameSync(next, folder)
  rmSync(last, { recursive: true, force: true })
}

/**
 * True if the pages are built.
 * @param {string} config
 * @param {(sentence: string) => void} say
 */
function runVite(config, say) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const { status, signal } = spawnSync(
    process.execPath,
    [vite, 'build', '--config', config, '--logLevel', 'warn'],
    {
      cwd: root,
      stdio: 'inherit',
      // With another one, which a developer's shell may set, players would get React's slow version for development.
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  // The kernel prints nothing.
  if (signal === 'SIGKILL')
    say('The build was killed, as Linux does without memory: add memory or swap, or end other programs.')
  return status === 0
}

/** Uses names, sizes and times, not contents: images and sounds are large, and this runs before every start. */
function fingerprint() {
  const hash = createHash('sha256')
  // Links to a public game contain its origin.
  const { PUBLIC_URL = '' } = process.env
  if (PUBLIC_URL.startsWith('https://')) hash.update(`${PUBLIC_URL}\n`)
  for (const input of inputs) {
    for (const file of filesOf(join(root, input))) {
      const { size, mtimeMs } = statSync(file)
      hash.update(`${file} ${size} ${mtimeMs}\n`)
    }
  }
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.filter((file) => !/\.test\.tsx?$/.test(file)).toSorted()
}

if (import.meta.main) process.exitCode = buildWeb((sentence) => process.stdout.write(`${sentence}\n`)) ? 0 : 1
