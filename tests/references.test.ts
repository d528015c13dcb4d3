import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readComments } from './read-words.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** How many rows of each kind `docs/spec.md` has. */
const ROWS = { S: 108, A: 34, X: 40, N: 11 }

const IDS = Object.entries(ROWS).flatMap(([kind, count]) =>
  Array.from({ length: count }, (_, at) => `${kind}-${String(at + 1).padStart(2, '0')}`),
)

// Foreign files, or not prose: packages, builds, data, drawings, the lockfile, licence texts.
const SKIPPED = /^(node_modules|\.git|\.build|\.data.*|art|package-lock\.json|THIRD-PARTY-NOTICES\.md)$/
const TEXT = /\.(ts|tsx|mjs|css|sql|md|json|html|ya?ml)$/
// It contains made-up ids.
const THIS_FILE = 'tests/references.test.ts'

const files = textsIn('').filter((path) => path !== THIS_FILE)

function textsIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.test(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return textsIn(path)
    return TEXT.test(entry.name) ? [path] : []
  })
}

/** Every row id and every section that a text cites: `S-61`, `spec §9`. */
function citedIn(text: string): string[] {
  return [...text.matchAll(/\b[SAXN]-\d{1,3}\b|\b(?:spec|design) §\d+/g)].map(([cited]) => cited)
}

/** The ids of the rows that a document defines: those in the first cell of a table. */
function rowsOf(document: string): string[] {
  return [...document.matchAll(/^\| ([SAXN]-\d+) +\|/gm)].map((match) => match[1]!)
}

function sectionsOf(name: 'spec' | 'design'): string[] {
  return [...read(`docs/${name}.md`).matchAll(/^## §(\d+) /gm)].map((match) => `${name} §${match[1]}`)
}

const rows = rowsOf(read('docs/spec.md'))
const known = new Set([...rows, ...sectionsOf('spec'), ...sectionsOf('design')])

const findUnknownReferences = (text: string): string[] => citedIn(text).filter((cited) => !known.has(cited))

test('every row of the spec is defined exactly once, and none is missing', () => {
  expect(rows.toSorted()).toEqual(IDS.toSorted())
})

test('the sections of spec and design are numbered from 1 on', () => {
  const upTo = (name: string, last: number) => Array.from({ length: last }, (_, at) => `${name} §${at + 1}`)
  expect(sectionsOf('spec')).toEqual(upTo('spec', 9))
  expect(sectionsOf('design')).toEqual(upTo('design', 12))
})

test('every row and section that the repository cites exists', () => {
  expect(files.filter((path) => path.startsWith('server/')).length).toBeGreaterThan(100)
  expect(files).toContain('docs/spec-coverage.md')
  expect(files).toContain('web/audio/sound-switch.ts')
  const broken = files.flatMap((path) =>
    findUnknownReferences(read(path)).map((cited) => `${path} cites ${cited}`),
  )
  expect(broken).toEqual([])
})

test('an unknown row or section is reported, and land ids are not rows', () => {
  expect(
    findUnknownReferences('Floored (S-62), as S-109 and A-0 say; spec §10, design §5, design §13.'),
  ).toEqual(['S-109', 'A-0', 'spec §10', 'design §13'])
  expect(citedIn('`AN-01`, `NA-01`, `EU-FR`, kid-0042')).toEqual([])
})

/** Names of Solana and its libraries, which the code does not use. */
const FOREIGN_NAMES = new Set([
  'MAX_PROCESSING_AGE',
  'PACKET_DATA_SIZE',
  'TransactionError',
  'confirmTransaction',
])

/** The names in backticks in comments that occur nowhere else in the code, nor in the schema. */
function findUnknownNames(sources: Readonly<Record<string, string>>, schema = ''): string[] {
  const named = Object.entries(sources).map(([path, source]) => ({
    path,
    names: [...readComments(path, source).matchAll(/`([A-Za-z_]\w+)(?:\(\))?`/g)].map(([, name]) => name!),
  }))
  const declared = new Set<string>()
  for (const source of [schema, ...Object.values(sources)]) {
    const others = source.replaceAll(/`[A-Za-z_]\w+(?:\(\))?`/g, '')
    for (const word of others.match(/[A-Za-z_]\w+/g) ?? []) declared.add(word)
  }
  return named.flatMap(({ path, names }) =>
    names.filter((name) => !declared.has(name) && !FOREIGN_NAMES.has(name)).map((name) => `${path}: ${name}`),
  )
}

test('comments name only what exists', () => {
  const paths = globSync(
    '{game,contract,server,local-chain,web,tests,bench,scripts,tools}/**/*.{ts,tsx,mjs}',
    {
      cwd: ROOT,
    },
  )
  expect(paths.length).toBeGreaterThan(500)
  const sources = Object.fromEntries(paths.map((path) => [path, read(path)]))
  expect(findUnknownNames(sources, read('server/platform/db/schema.sql'))).toEqual([])
  expect(findUnknownNames({ 'a.ts': '// Like `openPage`, and `closePage()`.\nconst openPage = 1' })).toEqual([
    'a.ts: closePage',
  ])
})
