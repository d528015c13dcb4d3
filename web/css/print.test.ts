import { expect, test } from 'vitest'
import { readSheet } from '#tests/support/read-sheet.ts'

const readPrintRules = (sheet: string): string => readSheet(sheet).split('@media print {')[1] ?? ''

const shell = readPrintRules('shell/shell.module.css')

/** The landscape, what the shell adds to a page, and the menu beside it. */
const HIDDEN = [
  ':global(body):has(.app) :global(.world)',
  ':global(#root):has(.app) > :not(.app)',
  '.app > :not(.main)',
]

test('on paper there is the page alone: no bar covers its rows, and no landscape is behind its text', () => {
  const [selectors = ''] = shell.split(' {\n      display: none !important;')
  expect(selectors.split(',').map((selector) => selector.trim())).toEqual(HIDDEN)
  expect(readPrintRules('shell/page-header.module.css')).toMatch(/^\s+\.actions \{\s+display: none;/)
})

test('no entry of a list and no row of a table is divided between two sheets of paper', () => {
  expect(shell).toMatch(/ \.main :is\(li, tr\) \{\s+break-inside: avoid;/)
})
