import { expect, test } from 'vitest'
import { type Result, reportOf } from './report.ts'

const resultsOf = (...statuses: Result['status'][]) => statuses.map((status) => ({ status })) as Result[]
const judge = (results: Result[]) => reportOf({ code: ['game'], leastPercent: 95, results, known: [] })

test('code without a mutant that ran is not good enough', () => {
  const none = { text: 'game: there was no mutant', isGood: false }
  expect(judge([])).toEqual(none)
  expect(judge(resultsOf('CompileError', 'Ignored'))).toEqual(none)
  expect(judge(resultsOf('Killed', 'Timeout')).isGood).toBe(true)
})
