import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { STORY_MUTANTS, type StoryMutant } from './story-mutants.ts'

// Runs a browser story with the bug that it has to find, for each bug or for those that are named. Works on a copy of the
// checkout, because pages are built from files. Fails if a story passes.
const ROOT = join(import.meta.dirname, '../..')
const named = process.argv.slice(2)
const unknown = named.filter((name) => !Object.hasOwn(STORY_MUTANTS, name))
if (unknown.length > 0) throw new Error(`There is no mutant ${unknown.join(', ')}.`)

const copy = join(ROOT, '.build/stories')
rmSync(copy, { recursive: true, force: true })
try {
  copyCheckout()
  const missed = (named.length > 0 ? named : Object.keys(STORY_MUTANTS)).filter((name) => !isFound(name))
  if (missed.length > 0) process.exitCode = 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}

function copyCheckout(): void {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const file of stdout.split('\0').filter(Boolean)) cpSync(join(ROOT, file), join(copy, file))
  // Hard links: the roles of the game may read nothing outside of their folder.
  spawnSync('cp', ['-al', join(ROOT, 'node_modules'), copy])
}

/** Whether the story of a mutant fails. One that does not even start says nothing. */
function isFound(name: string): boolean {
  const { edits, story } = STORY_MUTANTS[name]!
  for (const { file, find, replace } of edits) {
    const text = readFileSync(join(copy, file), 'utf8')
    writeFileSync(
      join(copy, file),
      text.replace(find, () => replace),
    )
  }
  const output = runStory(story)
  for (const { file } of edits) cpSync(join(ROOT, file), join(copy, file))
  const [, failed] = /^\s+(\d+) failed$/m.exec(output) ?? []
  if (failed === undefined && !/^\s+\d+ passed/m.test(output)) throw new Error(output)
  const [, reason = ''] = /^\s+(Error: .*)$/m.exec(output) ?? []
  process.stdout.write(failed ? `found   ${name}  ${reason}\n` : `MISSED  ${name}\n`)
  return failed !== undefined
}

function runStory(story: StoryMutant['story']): string {
  const { stdout, stderr } = spawnSync(
    'npx',
    ['playwright', 'test', '--project', 'desktop', '--retries', '0', '--grep', story],
    {
      cwd: copy,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  )
  return `${stdout}${stderr}`
}
