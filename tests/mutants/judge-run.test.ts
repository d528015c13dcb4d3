import { expect, test } from 'vitest'
import { judgeRun } from './judge-run.ts'

const passed = { status: 'passed', fullName: 'a law' }
const failed = { status: 'failed', fullName: 'another law' }
const reportOf = (...assertionResults: (typeof passed)[]) => ({
  numPassedTests: assertionResults.filter((each) => each === passed).length,
  testResults: [{ assertionResults }],
})

test('a mutant is found by a test that fails, and missed if all pass', () => {
  expect(judgeRun({ report: reportOf(passed, failed), status: 1, output: '' })).toBe('another law')
  expect(judgeRun({ report: reportOf(passed), status: 0, output: '' })).toBeNull()
})

test('a mutant that does not load is neither found nor missed', () => {
  const expected = 'No test failed, but the run did not succeed either:\nUnexpected token'
  for (const report of [null, reportOf(), reportOf(passed)])
    expect(() => judgeRun({ report, status: 1, output: 'Unexpected token' })).toThrow(expected)
  expect(() => judgeRun({ report: reportOf(), status: 0, output: 'No tests found' })).toThrow(
    'No tests found',
  )
})
