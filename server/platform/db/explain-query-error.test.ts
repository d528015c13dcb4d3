import { expect, test } from 'vitest'
import { explainQueryError } from './explain-query-error.ts'

test('a full disk is a sentence with the remedy, and an error of the program stays as it is', () => {
  const full = Object.assign(new Error('could not extend file "base/5/16384"'), { code: '53100' })
  expect(explainQueryError(full)?.message).toBe(
    'The disk of the database is full (could not extend file "base/5/16384"): make room as docs/runbooks/game-down.md says, then repeat the command.',
  )
  expect(explainQueryError(new TypeError('x is not a function'))).toBeUndefined()
})
