import { expect, test } from 'vitest'
import { ConsoleError } from '../api/console-error.ts'
import { readFailure } from './read-failure.ts'

test('an act whose answer was lost is not called a failure', () => {
  const lost = new ConsoleError({ code: 'unreachable', status: 0, message: 'The console did not answer.' })
  const inDoubt = 'The answer was lost, so it may have been done. Look at the log before you repeat it.'
  expect(readFailure(lost)).toEqual({ tone: 'warn', text: inDoubt })
  const refused = new ConsoleError({ code: 'already_done', status: 409, message: 'It is already frozen.' })
  expect(readFailure(refused)).toEqual({ tone: 'bad', text: 'It is already frozen.' })
})
