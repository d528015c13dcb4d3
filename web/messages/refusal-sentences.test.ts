import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REFUSALS } from '#contract/refusals.ts'
import { pickerMessages } from './en-hiring.ts'
import { landMessages } from './en-land.ts'
import { baseUnits, cotton } from '#game/cotton.ts'

const sources = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, source: readFileSync(join(import.meta.dirname, file), 'utf8') }))

/** The sentence as it may appear in source code: a placeholder may be any expression of a template. */
const inSource = (sentence: string): RegExp =>
  new RegExp(
    sentence
      .split(/\{\w+\}/)
      .map((part) => part.replaceAll(/[\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('\\$\\{[^`]*?\\}'),
  )

const hasOwnWords = (sentence: string): boolean => /[a-z]{3}/.test(sentence.replaceAll(/\{\w+\}/g, ''))

test('a sentence of a refusal is written once, in the contract', () => {
  expect(sources.length).toBeGreaterThan(8)
  const repeated = sources.flatMap(({ file, source }) =>
    Object.values(REFUSALS)
      .filter(({ sentence }) => hasOwnWords(sentence) && inSource(sentence).test(source))
      .map(({ sentence }) => `${file}: ${sentence}`),
  )
  expect(repeated).toEqual([])
})

test('a sentence that is shown before the server is called has its facts filled in', () => {
  expect(pickerMessages.notEnough(cotton(500_000), baseUnits(300_000_500_000n))).toBe(
    'Not enough $COTTON tokens. Required: 500,000, Available: 300,000',
  )
  expect(pickerMessages.soldOut('Grandad')).toBe('No more Grandad workers available for purchase')
  expect(landMessages.credit(cotton(100_000), cotton(40_000))).toBe(
    'Not enough credits to purchase this parcel. Required: 100,000 tokens, Available: 40,000 tokens',
  )
})
