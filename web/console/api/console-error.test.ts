import { expect, test } from 'vitest'
import { CONSOLE_REFUSALS } from '#contract/console/refusals.ts'
import { ConsoleError, type ConsoleErrorCode } from './console-error.ts'

test('an act is in doubt unless the console has refused the call: it may have been stored before the database was lost', () => {
  const isInDoubt = (code: ConsoleErrorCode, status: number): boolean =>
    new ConsoleError({ code, status, message: '' }).isInDoubt
  const refusals = Object.entries(CONSOLE_REFUSALS) as [keyof typeof CONSOLE_REFUSALS, { status: number }][]
  const inDoubt = refusals.filter(([code, { status }]) => isInDoubt(code, status)).map(([code]) => code)
  expect(inDoubt).toEqual(['unexpected', 'busy', 'unknown_outcome'])
  const unanswered = [isInDoubt('unreachable', 0), isInDoubt('unreadable', 200), isInDoubt('unreadable', 404)]
  expect(unanswered).toEqual([true, true, true])
})
