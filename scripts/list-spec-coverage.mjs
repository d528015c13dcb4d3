// Generates docs/spec-coverage.md from the row ids in the titles of the tests: test('… (S-34, A-12)', …).
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseSync } from 'vite'
import { isVariantFile } from './is-variant-file.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const TARGET = join(ROOT, 'docs/spec-coverage.md')
const TEST_FILES =
  '{game,contract,server,local-chain,web,tests,bench,scripts,tools}/**/*.{test.ts,test.tsx,e2e.ts}'
const KINDS = ['S', 'A', 'X', 'N']

/** @typedef {{ file: string, title: string, ids: string[], isVariant: boolean }} TitledTest */
/** @typedef {{ id: string, what: string, needsTest: boolean }} SpecRow */

/**
 * The rows of the specification, in the order S, A, X, N. Rows X and N need a test if they are at least partly built.
 * @param {string} spec the text of docs/spec.md
 * @returns {SpecRow[]}
 */
export function readSpecRows(spec) {
  /** @param {{ id: string }} row */
  const rank = ({ id }) => KINDS.indexOf(id.charAt(0)) * 1_000 + Number(id.slice(2))
  return [...spec.matchAll(/^\| ([SAXN]-\d+) +\| (.+?) +\|(.*)$/gm)]
    .map(([, id = '', what = '', rest = '']) => ({
      id,
      what: /^(?:`[^`]*`|[^`])+?(?=\. |\.?$)/.exec(what)?.[0] ?? what,
      needsTest: /^[SA]/.test(id) || /^ (Built|Partly)\b/.test(rest),
    }))
    .toSorted((a, b) => rank(a) - rank(b))
}

/**
 * The tests of one file with the row ids in their titles. The title of a `test.each` counts once. Skipped tests do not
 * count. `npm test` does not run a variant.
 * @param {string} file
 * @param {string} source
 * @returns {TitledTest[]}
 */
export function readTitledTests(file, source) {
  /** @type {TitledTest[]} */
  const found = []
  const isVariant = isVariantFile(source)
  /** @param {any} node */
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return
    if (node.type === 'CallExpression' && isRunningTest(node)) {
      const [{ start, end }, options] = node.arguments
      const title = source.slice(start + 1, end - 1).replaceAll(/\\(.)/g, '$1')
      found.push({
        file,
        title,
        ids: title.match(/\b[SAXN]-\d{1,3}\b/g) ?? [],
        isVariant: isVariant || isTaggedVariant(options),
      })
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, source).program)
  return found
}

/**
 * Whether the options of a test make it a variant: `VARIANT` in a browser test, `{ tags: 'variant' }` in others.
 * @param {any} options
 */
function isTaggedVariant(options) {
  if (options.type === 'Identifier') return ['VARIANT', 'VARIANT_ON_BOTH'].includes(options.name)
  const tags = options.properties?.find((/** @type {any} */ { key }) => key?.name === 'tags')
  return tags?.value.value === 'variant'
}

/**
 * Whether a call declares a test that runs: `test('title', …)`, `test.each(cases)('title', …)`.
 * @param {any} call
 */
function isRunningTest(call) {
  const [title, ...others] = call.arguments
  if (others.length === 0 || !(title?.type === 'TemplateLiteral' || typeof title?.value === 'string'))
    return false
  let callee = call.callee
  while (callee.type !== 'Identifier') {
    if (callee.type === 'MemberExpression') {
      if (!['each', 'for', 'concurrent', 'sequential'].includes(callee.property.name)) return false
      callee = callee.object
    } else if (callee.type === 'CallExpression') callee = callee.callee
    else return false
  }
  return callee.name === 'test'
}

/** @returns {TitledTest[]} */
export function readAllTests() {
  const files = globSync(TEST_FILES, { cwd: ROOT }).toSorted()
  return files.flatMap((file) => readTitledTests(file, readFileSync(join(ROOT, file), 'utf8')))
}

/**
 * The errors: unknown ids, and rows that need a test in `npm test` and have none.
 * @param {SpecRow[]} rows
 * @param {TitledTest[]} tests
 */
export function findCoverageErrors(rows, tests) {
  const known = new Set(rows.map(({ id }) => id))
  const tested = new Set(tests.flatMap(({ ids, isVariant }) => (isVariant ? [] : ids)))
  return [
    ...tests.flatMap(({ file, title, ids }) =>
      ids
        .filter((id) => !known.has(id))
        .map((id) => `${file} › ${title}: ${id} is not a row of docs/spec.md`),
    ),
    ...rows
      .filter(({ id, needsTest }) => needsTest && !tested.has(id))
      .map(({ id, what }) => `${id} (${what}): no test of \`npm test\` has this row in its title`),
  ]
}

/**
 * The text of docs/spec-coverage.md.
 * @param {SpecRow[]} rows
 * @param {TitledTest[]} tests
 */
export function writeCoverage(rows, tests) {
  /** @param {string} row */
  const cellOf = (row) => {
    const files = tests.filter(({ ids }) => ids.includes(row)).map(({ file }) => file)
    return [...new Set(files)]
      .map((file) => {
        const count = files.filter((each) => each === file).length
        return `[${basename(file)}](../${file})${count > 1 ? ` ×${count}` : ''}`
      })
      .join(', ')
  }
  const listed = rows.filter(({ needsTest }) => needsTest)
  return `# Specification coverage

The tests that prove each row of the [specification](spec.md). A test names its rows in its title, for example
\`test('a price that moved is refused (S-34, A-12)', …)\`. To list the tests of one row, search the tests for its id.

\`npm run docs:coverage\` generates this page. \`tests/spec-coverage.test.ts\` fails if the page is out of date, if no
test of \`npm test\` names a row, or if a title names an unknown row. Rows X and N are listed if they are at least partly built.

| Row | What | Tests |
| --- | ---- | ----- |
${listed.map(({ id, what }) => `| ${id} | ${what} | ${cellOf(id)} |`).join('\n')}
`
}

if (import.meta.main) {
  const rows = readSpecRows(readFileSync(join(ROOT, 'docs/spec.md'), 'utf8'))
  const tests = readAllTests()
  const errors = findCoverageErrors(rows, tests)
  for (const error of errors) console.error(error)
  if (errors.length > 0) process.exitCode = 1
  writeFileSync(TARGET, writeCoverage(rows, tests))
}
