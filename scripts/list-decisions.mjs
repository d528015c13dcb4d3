// Generates docs/decisions/README.md, the index of all decisions. With `--check` it only verifies the file.
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
  'Why the game is built the way it is. Each record states its status and date, then the context, the decision, its',
  'consequences and the alternatives. A later decision may supersede an earlier one; records are never deleted. Each',
  'entry below quotes the first sentence of the context.',
  '',
  '`node scripts/list-decisions.mjs` generates this list. A test checks that it is up to date.',
  '',
  ...decisions.map(
    ({ file, title, status, date, summary }) => `- [${title}](${file}) (${status}, ${date}) – ${summary}`,
  ),
  '',
].join('\n')

if (!process.argv.includes('--check')) writeFileSync(index, written)
else if (!existsSync(index) || readFileSync(index, 'utf8') !== written) {
  console.error('docs/decisions/README.md is out of date: run node scripts/list-decisions.mjs')
  process.exitCode = 1
}

/**
 * Title, status, date and first sentence of a decision. A missing part stays empty; a test reports it.
 * @param {string} text
 */
function readDecision(text) {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? ''
  const [, status = '', date = ''] = /^Status: (.+) · Date: (.+)$/m.exec(text) ?? []
  const [, context = ''] = text.split('\n## Context\n\n')
  const paragraph = context.split('\n\n', 1).join('').replaceAll(/\s+/g, ' ').trim()
  const summary = /^.*?[.?!](?= [\p{Lu}`*_$[(]|$)/u.exec(paragraph)?.[0] ?? paragraph
  return { title, status, date, summary }
}
