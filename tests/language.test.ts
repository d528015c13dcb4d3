import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { readComments, readDeclaredNames, splitName } from './read-words.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const CODE = globSync('{game,contract,server,local-chain,web,tests,bench,scripts,tools}/**/*.{ts,tsx,mjs}', {
  cwd: ROOT,
}).filter((path) => !['tests/language.test.ts', 'tools/audio/'].some((skipped) => path.startsWith(skipped)))
const SHEETS = globSync('{server,web}/**/*.{css,sql}', { cwd: ROOT })
const DOCUMENTS = globSync('{*,{bench,data,deploy,docs,server,tests,tools}/**/*}.md', { cwd: ROOT }).filter(
  (path) => !/CHANGELOG|THIRD-PARTY/.test(path),
)

/** Words that no text uses, each with the field's term. They have no plain meaning that this project needs. */
const NOWHERE: Record<string, string> = {
  journey: 'round trip',
  journeys: 'round trips',
  purse: 'balances',
  purses: 'balances',
  gather: 'batch',
  gathers: 'batches',
  gathered: 'batched',
  fate: 'outcome',
  fates: 'outcomes',
  weather: 'fault profile',
  storm: 'fault phase',
  alarmed: 'alerted',
  stray: 'unsupported',
  strays: 'unsupported deposits',
}

/** Words that no name uses. In a sentence they have a plain meaning. */
const NOT_IN_NAMES: Record<string, string> = {
  ...NOWHERE,
  keep: 'store or cache',
  keeps: 'stores or caches',
  kept: 'stored or cached',
  tell: 'publish',
  tells: 'publishes',
  told: 'published',
  hear: 'receive',
  heard: 'received',
  learn: 'apply',
  learned: 'applied',
  learnt: 'applied',
  news: 'changes',
  look: 'snapshot or scan',
  looks: 'snapshots or scans',
  witness: 'quorum',
  witnesses: 'quorum',
  calm: 'quiescence',
  asleep: 'ariaDisabled',
  drawn: 'prerendered',
  whoever: 'the person by role',
  mistake: 'mutant or error',
  mistakes: 'mutants or errors',
}

/** Names that are replaced as a whole. */
const RENAMED: Record<string, string> = {
  StartProblem: 'StartupError',
  OutOfReach: 'UnavailableError',
  keepAnswers: 'storeResponses',
  headsOver: 'storeResponses',
}

/** Folders that use `hold` for money: what a withdrawal has reserved is held. */
const MAY_HOLD = /^(server\/(ledger|withdrawals|signer)\/|game\/credit|tests\/support\/payouts)/
/** Scripts that draw maps. */
const MAY_DRAW = /^tools\/maps\//
const HOLD = ['hold', 'holds', 'holding']

/** Names of libraries, of browsers, of the wire and of settings. */
const FOREIGN = new Set([
  'BACKUP_KEEP',
  'keepAlive',
  'keepAliveInitialDelayMillis',
  'keepAliveTimeout',
  'keepalive',
])

const namesOf = (path: string): string[] => [basename(path), ...readDeclaredNames(path, read(path))]

function findBadNames(path: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    if (FOREIGN.has(name)) return []
    if (Object.hasOwn(RENAMED, name)) return [`${path}: ${name}: write ${RENAMED[name]}`]
    return splitName(name).flatMap((word) => {
      if (word === 'drawn' && MAY_DRAW.test(path)) return []
      const better = Object.hasOwn(NOT_IN_NAMES, word) ? NOT_IN_NAMES[word] : undefined
      if (better) return [`${path}: ${name}: not ${word} but ${better}`]
      return HOLD.includes(word) && !MAY_HOLD.test(path)
        ? [`${path}: ${name}: hold is for money in the ledger; write lockAndRead, or say what it does`]
        : []
    })
  })
}

function findBadWords(path: string, text: string): string[] {
  const words = new Set(text.toLowerCase().match(/[a-z]+/g))
  const found = Object.entries(NOWHERE).filter(([word]) => words.has(word))
  const names = Object.entries(RENAMED).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text))
  return [...found, ...names].map(([word, better]) => `${path}: ${word}: write ${better}`)
}

test('names use the terms of the field', () => {
  expect(CODE.length).toBeGreaterThan(500)
  expect(CODE.flatMap((path) => findBadNames(path, namesOf(path)))).toEqual([])
})

test('comments use the terms of the field', () => {
  expect(CODE.flatMap((path) => findBadWords(path, readComments(path, read(path))))).toEqual([])
  expect(SHEETS.flatMap((path) => findBadWords(path, read(path)))).toEqual([])
})

test('documents use the terms of the field', () => {
  expect(DOCUMENTS.length).toBeGreaterThan(50)
  expect(DOCUMENTS.flatMap((path) => findBadWords(path, read(path)))).toEqual([])
})

test('a banned word is found in every form of a name, and only as a whole word', () => {
  const source = `
    // A journey of the purse.
    const { look: view, ...rest } = await import('x')
    function tellAll(newsFeed: string, { kept = 1 }) { return purse.keep }
    type Fate = { lastLook: Date; outlook: string; keepAlive: boolean }
    try { run({ 'told': 1, hold_all: 2 }) } catch (OutOfReach) {}
  `
  expect(findBadNames('web/a.ts', readDeclaredNames('web/a.ts', source))).toEqual([
    'web/a.ts: tellAll: not tell but publish',
    'web/a.ts: newsFeed: not news but changes',
    'web/a.ts: kept: not kept but stored or cached',
    'web/a.ts: Fate: not fate but outcome',
    'web/a.ts: lastLook: not look but snapshot or scan',
    'web/a.ts: hold_all: hold is for money in the ledger; write lockAndRead, or say what it does',
    'web/a.ts: OutOfReach: write UnavailableError',
  ])
  expect(findBadWords('web/a.ts', readComments('web/a.ts', source))).toEqual([
    'web/a.ts: journey: write round trip',
    'web/a.ts: purse: write balances',
  ])
  expect(findBadNames('server/two-journeys.ts', ['two-journeys.ts'])).toHaveLength(1)
  expect(findBadNames('server/ledger/a.ts', ['holdTokens'])).toEqual([])
})
