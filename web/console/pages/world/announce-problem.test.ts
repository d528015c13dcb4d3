import { expect, test } from 'vitest'
import { ConsoleError } from '../../api/console-error.ts'
import { announceProblem } from './announce-problem.ts'

test('an announcement whose answer was lost is not announced again without a look at the list', () => {
  const lost = new ConsoleError({ code: 'unreachable', status: 0, message: 'The console did not answer.' })
  expect(announceProblem(lost)).toMatch(/^The answer was lost, so it may have been stored\./)
  const refused = new ConsoleError({ code: 'act_refused', status: 409, message: 'It ends too early.' })
  expect(announceProblem(refused)).toBe('It ends too early.')
})
