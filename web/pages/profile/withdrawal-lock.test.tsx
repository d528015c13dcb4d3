import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { Lock } from './use-withdrawal-lock.ts'
import { questionOf, WithdrawalLock } from './withdrawal-lock.tsx'

const read = vi.hoisted(() => ({ lock: { hours: 0, next: null } as Lock }))
const actions = vi.hoisted(() => ({ running: '' }))

vi.mock('./use-withdrawal-lock.ts', () => ({
  useWithdrawalLock: () => ({ data: read.lock, isPending: false, refetch: vi.fn(), change: vi.fn() }),
}))

vi.mock('#web/ui/press-once.ts', () => ({
  usePressOnce: (name: string) => ({ press: vi.fn(), running: name === actions.running, resting: false }),
}))

/** The button that asks for the lock that is chosen at first, which is 3 days. */
function buttonOf(lock: Lock, name: string): string | undefined {
  read.lock = lock
  return new RegExp(`<button[^>]*><span>${name}`).exec(renderToStaticMarkup(<WithdrawalLock />))?.[0]
}

const at = '2026-11-28T12:00:00.000Z'

test('the button of a question says what it does: it locks, changes the lock, or unlocks', () => {
  const actionOf = (hours: number, asked: Parameters<typeof questionOf>[1]) =>
    questionOf({ hours, next: null }, asked).action
  expect(actionOf(0, 72)).toBe('Lock withdrawals')
  expect(actionOf(168, 24)).toBe('Change the lock')
  expect(actionOf(24, 168)).toBe('Change the lock')
  expect(actionOf(72, 0)).toBe('Unlock')
})

test('a player who waits for a shorter lock cannot ask for the same one again, and can take it back', () => {
  const disabled = 'aria-disabled="true"'
  expect(buttonOf({ hours: 0, next: null }, 'Lock withdrawals')).not.toContain(disabled)
  expect(buttonOf({ hours: 72, next: null }, 'Change the lock')).toContain(disabled)
  expect(buttonOf({ hours: 168, next: { hours: 72, at } }, 'Change the lock')).toContain(disabled)
  expect(buttonOf({ hours: 72, next: { hours: 24, at } }, 'Change the lock')).not.toContain(disabled)
  expect(buttonOf({ hours: 168, next: { hours: 24, at } }, 'Change the lock')).not.toContain(disabled)
})

test('the button that takes an unlock back is busy until the game has answered', () => {
  read.lock = { hours: 72, next: { hours: 0, at } }
  const findBusyButton = () =>
    /<button[^>]* aria-busy="true"[^>]*>.*?<\/button>/.exec(renderToStaticMarkup(<WithdrawalLock />))?.[0]
  expect(findBusyButton()).toBeUndefined()
  actions.running = 'stay-locked'
  expect(findBusyButton()).toContain('Keep it locked')
})
