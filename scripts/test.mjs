// Runs every check and test, the fast ones first. `--check` stops after the checks.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
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

check('types', 'tsc', ['-b'])
check('lint', 'oxlint', [])
check('styles', 'stylelint', ['web/**/*.css'])
check('format', 'oxfmt', ['--check'])
check('dead code', 'knip', [])
if (process.argv.includes('--check')) close('All checks passed')

check('tests', 'vitest', ['run'])
if (existsSync(join(root, 'playwright.config.ts'))) {
  const { buildWeb } = await import('./build-web.mjs')
  if (!buildWeb(say)) stop('web app')
  env.CHROMIUM_PATH = (await findChromium()) ?? ''
  check('browser stories', 'playwright', ['test'])
}
close('All checks and tests passed')

/**
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 */
function check(name, command, args) {
  say(`\n── ${name}: ${[command, ...args].join(' ')}`)
  const from = performance.now()
  const { status } = spawnSync(join(bin, command), args, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) stop(name, duration(from))
  say(`── ${name} passed in ${duration(from)}`)
}

/** @param {string} name */
function stop(name, took = duration(startedAt)) {
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
