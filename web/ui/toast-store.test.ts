import '#web/api/browser-stub.ts'
import { beforeEach, expect, test } from 'vitest'

const { dismissToast, showToast, TOAST_MS, toasts } = await import('./toast-store.ts')

beforeEach(() => toasts.set([]))

test('a toast of each kind stays 3000 ms unless it has a duration of its own (S-60, S-71)', () => {
  for (const kind of ['success', 'error', 'info', 'warning'] as const) {
    showToast({ kind, text: kind })
    expect(toasts.get().at(-1)).toMatchObject({ kind, text: kind, durationMs: 3_000 })
  }
  expect(TOAST_MS).toBe(3_000)
  showToast({ kind: 'info', text: 'longer', durationMs: 5_000 })
  expect(toasts.get().at(-1)).toMatchObject({ durationMs: 5_000 })
})

test('at most three toasts are shown, the newest last; a dismissed one disappears', () => {
  for (const text of ['one', 'two', 'three', 'four']) showToast({ kind: 'info', text })
  expect(toasts.get().map(({ text }) => text)).toEqual(['two', 'three', 'four'])
  dismissToast(toasts.get()[1]!.id)
  expect(toasts.get().map(({ text }) => text)).toEqual(['two', 'four'])
})

test('a toast with an action stays however many follow it, until it is dismissed', () => {
  const id = showToast({ kind: 'info', text: 'waiting', action: { label: 'Cancel', run: () => undefined } })
  for (const text of ['one', 'two', 'three', 'four']) showToast({ kind: 'info', text })
  expect(toasts.get().map(({ text }) => text)).toEqual(['waiting', 'three', 'four'])
  dismissToast(id)
  expect(toasts.get().map(({ text }) => text)).toEqual(['three', 'four'])
})
