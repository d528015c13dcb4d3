// Writes docs/decisions/README.md, the index of all decisions; `--check` only says whether it is up to date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '..', 'docs', 'decisions')
const index = join(folder, 'README.md')

const decisions = readdirSync(folder)
  .filter((name) => /^\d{4}-.+\.md$/.test(name))
  .toSorted()
  .map((file) => ({ file, ...readDecision(readFileSync(join(folder, file), 'utf8')) }))

const written = [
  '# Decisions',
  '',
  'Why the game is built as it is. Each decision has a context, a decision, its consequences and the alternatives. A later',
  'one may replace it; none is erased. The sentence behind each title is the first of its context.',
  '',
  'This list is written by `node scripts/list-decisions.mjs`; a test checks that it is up to date.',
  '',
  ...decisions.map(({ file, title, summary }) => `- [${title}](${file}) – ${summary}`),
  '',
].join('\n')

if (!process.argv.includes('--check')) writeFileSync(index, written)
else if (!existsSync(index) || readFileSync(index, 'utf8') !== written) {
  console.error('docs/decisions/README.md is out of date: run node scripts/list-decisions.mjs')
  process.exitCode = 1
}

/** Title and first sentence of a decision. One without either is listed as it is; a test names what it lacks. */
function readDecision(text) {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? ''
  const [, context = ''] = text.split('\n## Context\n\n')
  const paragraph = context.split('\n\n', 1)[0].replaceAll(/\s+/g, ' ').trim()
  const summary = /^.*?[.?!](?= [\p{Lu}`*_$[(]|$)/u.exec(paragraph)?.[0] ?? paragraph
  return { title, summary }
}
