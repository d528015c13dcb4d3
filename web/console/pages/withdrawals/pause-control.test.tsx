import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { PauseControl, UnsettledNotice } from './pause-control.tsx'

const read = vi.hoisted(() => ({ current: {} }))

vi.mock('../../api/queries.ts', () => ({ useRead: () => read.current, queryClient: {} }))

const [pause, resume] = [actMessages.pause.action, actMessages.resume.action]

function buttonsOf(state: { data?: object; isFetched: boolean; failureCount?: number }): string[] {
  read.current = { failureCount: 0, ...state }
  const html = renderToStaticMarkup(<PauseControl />)
  return [pause, resume].filter((text) => html.includes(text))
}

test('an operator can pause withdrawals although nobody can read whether they are paused', () => {
  expect(buttonsOf({ isFetched: false })).toEqual([])
  expect(buttonsOf({ isFetched: false, failureCount: 1 })).toEqual([pause])
  expect(buttonsOf({ isFetched: true })).toEqual([pause])
  expect(buttonsOf({ data: { pause: null }, isFetched: true })).toEqual([pause])
  const paused = { id: 'a pause', reason: 'An audit.', since: '2026-01-05T12:00:00.000Z' }
  expect(buttonsOf({ data: { pause: paused }, isFetched: true })).toEqual([resume])
})

test('whoever resumes withdrawals is warned of payouts that the books do not owe', () => {
  const render = (restored: readonly object[]): string => {
    read.current = { data: { restored } }
    return renderToStaticMarkup(<UnsettledNotice />)
  }
  expect(render([])).toBe('')
  expect(render([{}])).toContain(actMessages.resume.unsettled)
})
