import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { RIGHTS } from '#contract/console/rights.ts'
import { readTerms } from '#contract/site.ts'
import { readOperators } from '#server/operators/read-operators.ts'
import { readConfig } from '#server/platform/config.ts'
import { SETTINGS } from '#server/platform/settings.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { parseBlocks } from '#server/site/read-terms.ts'
import { readWorldFile } from '#server/world/world-config.ts'
import type { FuzzReport } from './fuzz-http.ts'
import { damagedJson, oddText } from './json-values.ts'

/** A program that takes longer than this for a file of an operator looks as if it hung. */
const LIMIT_MS = 2_000

const WALLET = 'CottonFuzzCottonFuzzCottonFuzzCottonFuzz111'

/** Values that are mostly right, so that some files have nothing wrong. */
const mostly = <T>(right: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: right }, { weight: 1, arbitrary: odd })

const worldFile = damagedJson(
  fc.record(
    {
      exclude: mostly(
        fc.uniqueArray(fc.constantFrom('EU-FR', 'AN-01')),
        fc.array(fc.constantFrom('EU-FR', 'AN-01', 'EU', '', 'constructor')),
      ),
      startPrices: mostly(
        fc.dictionary(fc.constantFrom('EU', 'AN'), fc.integer({ min: 1, max: 1_000_000 })),
        fc.dictionary(fc.constantFrom('EU', 'AN', 'XX', '__proto__'), fc.double()),
      ),
      supply: mostly(
        fc.dictionary(fc.constantFrom('kid', 'bigman'), fc.integer({ min: 0, max: 10_000 })),
        fc.dictionary(fc.constantFrom('kid', 'bigman', 'toString'), fc.oneof(fc.integer(), fc.double())),
      ),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
)

const operator = mostly<object>(
  fc.record({
    wallet: fc.constantFrom(WALLET, '1'.repeat(32)),
    name: fc.constantFrom('Ana', 'Bob'),
    rights: fc.array(fc.constantFrom(...RIGHTS), { minLength: 1 }),
  }),
  fc.record(
    {
      wallet: fc.constantFrom(WALLET, '1'.repeat(32), 'constructor'),
      name: fc.oneof(fc.constantFrom('Ana', 'Bob', ' ', '\u202e'), oddText),
      rights: fc.array(fc.constantFrom(...RIGHTS, 'all')),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
)

const operatorsFile = damagedJson(
  fc.record(
    {
      operators: fc.array(operator, { maxLength: 3 }),
      secondAbove: mostly(
        fc.constantFrom('100000', '1'),
        fc.oneof(fc.constantFrom('1e5', '-1', ''), oddText),
      ),
      creditPerDay: mostly(fc.constantFrom('1000000', '0'), fc.oneof(fc.constantFrom('-1', ''), oddText)),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
)

const MARKUP = [
  '# ',
  '## ',
  '- ',
  '* ',
  '**',
  '[',
  ']',
  '(',
  ')',
  '](',
  'https://a.example',
  'javascript:alert(1)',
  '\n',
  '\n\n',
  '\r\n',
  ' ',
  '\t',
  '{policy}',
  '{',
  '}',
  'text',
  '\u0000',
  '\ufeff',
]

const termsFile = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(fc.oneof(fc.constantFrom(...MARKUP), oddText), { maxLength: 60 })
      .map((parts) => parts.join('')),
  },
  // The same piece as often as the largest file can have it.
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...MARKUP), fc.constantFrom(...MARKUP))
      .map(([piece, end]) => `a${piece.repeat(Math.floor(200_000 / piece.length))}${end}b`),
  },
)

const settings = fc.tuple(fc.constantFrom(...Object.keys(SETTINGS)), oddText)

/** Fails unless the error is one sentence for the operator. */
function expectSentence(error: unknown): void {
  if (!(error instanceof StartupError)) throw error
  if (/\n\s+at |\[object/.test(error.message)) throw new Error(`no sentence: ${error.message}`)
}

type Parser = { name: string; property: fc.IProperty<[unknown]> }

/** `use` counts a file or setting that was not refused. */
function parsersIn(folder: string, use: (name: string) => void): Parser[] {
  const path = join(folder, 'file')
  const withFile = (text: string, read: () => void) => {
    writeFileSync(path, Buffer.from(text, 'latin1'))
    const from = performance.now()
    read()
    const tookMs = performance.now() - from
    if (tookMs > LIMIT_MS) throw new Error(`it took ${Math.round(tookMs)} ms`)
  }
  const parser = (name: string, texts: fc.Arbitrary<unknown>, check: (text: never) => void): Parser => ({
    name,
    property: fc.property(texts, (text) => check(text as never)) as fc.IProperty<[unknown]>,
  })
  return [
    parser('world', worldFile, (text: string) =>
      withFile(text, () => {
        try {
          readWorldFile({ worldFile: path, dataDir: folder })
          use('world')
        } catch (error) {
          expectSentence(error)
        }
      }),
    ),
    parser('operators', operatorsFile, (text: string) =>
      withFile(text, () => {
        const { problem, byWallet } = readOperators(path)
        if ((problem === null) === (byWallet.size === 0))
          throw new Error(`problem ${problem}, ${byWallet.size} operators`)
        if (problem === null) use('operators')
        else if (/\[object|\n/.test(problem)) throw new Error(`no sentence: ${problem}`)
      }),
    ),
    parser('terms', termsFile, (text: string) =>
      withFile(text, () => {
        const read = readTerms.reply.safeParse({ blocks: parseBlocks(text), changedAt: null })
        if (!read.success) throw new Error(read.error.message)
        if (/"href":"(?!https?:|mailto:|\/(?!\/))/.test(JSON.stringify(read.data)))
          throw new Error('an unsafe link')
      }),
    ),
    parser('settings', settings, ([name, value]: [string, string]) => {
      try {
        readConfig({ DATA_DIR: folder, [name]: value })
        use('settings')
      } catch (error) {
        expectSentence(error)
      }
    }),
  ]
}

/** Reads this many files and settings of an operator, right and wrong. Each is used or refused with a reason. */
export function fuzzFiles({ files, seed }: { files: number; seed: number }): FuzzReport {
  const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-fuzz-'))
  const counts: Record<string, number> = {}
  const findings: string[] = []
  const use = (name: string) => (counts[`${name} used`] = (counts[`${name} used`] ?? 0) + 1)
  try {
    for (const { name, property } of parsersIn(folder, use)) {
      const { counterexample, errorInstance, numRuns } = fc.check(property, {
        seed,
        numRuns: Math.ceil(files / 4),
      })
      counts[name] = numRuns
      if (counterexample)
        findings.push(
          `${name}: ${String((errorInstance as Error).stack).slice(0, 600)}\n  ${JSON.stringify(counterexample[0]).slice(0, 600)}`,
        )
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return { name: 'files', counts, findings }
}
