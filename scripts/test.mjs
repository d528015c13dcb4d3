// Runs the checks and tests, the fast ones first. `--check` stops after the checks. `--all` adds the variants, which are
// further cases of what other tests prove, and the browser tests of which one of two viewports is enough.
import { spawn, spawnSync } from 'node:child_process'
import { delimiter, join, resolve } from 'node:path'
import { assertNode } from './assert-node.mjs'
import { findChromium } from './find-chromium.mjs'

assertNode()
const root = resolve(import.meta.dirname, '..')
const bin = join(root, 'node_modules', '.bin')
/** @type {NodeJS.ProcessEnv} */
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
// The tools and the processes of the tests load the same modules again and again.
env.NODE_COMPILE_CACHE ??= join(root, '.build', 'compile-cache')
const startedAt = performance.now()

const onlyChecks = process.argv.includes('--check')
const withVariants = process.argv.includes('--all')
const checks = [
  start('types', 'tsc', ['-b']),
  start('lint', 'oxlint', []),
  start('styles', 'stylelint', ['web/**/*.css']),
  start('format', 'oxfmt', ['--check']),
  start('dead code', 'knip', []),
]
// Tests that start the game need the web app as well, and only one process may build it.
if (!onlyChecks) checks.push(start('web app', 'node', ['scripts/build-web.mjs']))
for (const each of await Promise.all(checks)) if (each.failed) stop(each.name, each.took)
if (onlyChecks) close('All checks passed')

env.TEST_VARIANTS = withVariants ? 'yes' : 'no'
run('tests', 'vitest', ['run'])
env.CHROMIUM_PATH = (await findChromium()) ?? ''
// Playwright puts the name of the project before the title and the tags after it.
const further = '@variant|^desktop .*@phone-first|^phone .*@desktop-first'
run('browser stories', 'playwright', ['test', ...(withVariants ? [] : ['--grep-invert', further])])
close('All checks and tests passed')

/**
 * Runs a check beside others. Its output appears in one piece when it ends.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<{ name: string, failed: boolean, took: string }>}
 */
function start(name, command, args) {
  const from = performance.now()
  const child = spawn(join(bin, command), args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => {
      const [failed, took] = [status !== 0, duration(from)]
      say(
        `\n── ${name}: ${[command, ...args].join(' ')}\n${output}── ${name} ${failed ? 'failed' : 'passed'} in ${took}`,
      )
      resolve({ name, failed, took })
    })
  })
}

/**
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 */
function run(name, command, args) {
  say(`\n── ${name}: ${[command, ...args].join(' ')}`)
  const from = performance.now()
  const { status } = spawnSync(join(bin, command), args, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) stop(name, duration(from))
  say(`── ${name} passed in ${duration(from)}`)
}

/**
 * @param {string} name
 * @param {string} took
 */
function stop(name, took) {
  process.stderr.write(`\nFailed: ${name} (after ${took}).\n`)
  process.exit(1)
}

/** @param {string} sentence */
function close(sentence) {
  say(`\n${sentence} in ${duration(startedAt)}.`)
  process.exit(0)
}

/** @param {number} from */
function duration(from) {
  const seconds = (performance.now() - from) / 1000
  return seconds < 60
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

/** @param {string} sentence */
function say(sentence) {
  process.stdout.write(`${sentence}\n`)
}
