import { expect, test } from 'vitest'
import { countFindings } from './verify-ledger.ts'

const findingsOf = (law: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ law, what: `row ${at}`, found: 'wrong' }))

test('an invariant with as many violations as are read may have more', () => {
  expect(countFindings([...findingsOf('one', 19), ...findingsOf('another', 19)])).toBe('38')
  expect(countFindings([...findingsOf('one', 20), ...findingsOf('another', 1)])).toBe('at least 21')
})
