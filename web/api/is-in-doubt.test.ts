import { expect, test } from 'vitest'
import { type RefusalCode, REFUSALS } from '#contract/refusals.ts'
import { CallError, type FailureCode } from './call-error.ts'
import { isInDoubt } from './is-in-doubt.ts'

test('an action is in doubt unless the game has refused it', () => {
  const fail = (code: FailureCode, status: number, wasAnswered: boolean): CallError =>
    new CallError({ code, message: '', status, wasAnswered })
  const refusals = Object.entries(REFUSALS) as [RefusalCode, { status: number }][]
  const inDoubt = refusals.filter(([code, { status }]) => isInDoubt(fail(code, status, true)))
  expect(inDoubt.map(([code]) => code)).toEqual(['unexpected', 'unknown_outcome'])
  expect(isInDoubt(fail('timed_out', 0, false))).toBe(true)
  expect(isInDoubt(new Error('of this browser'))).toBe(false)
})
