import '#web/api/browser-stub.ts'
import { Children, type ReactElement } from 'react'
import { expect, test } from 'vitest'
import { DialogResult } from './dialog-result.tsx'

test('an equal result of another attempt is a new element, because a screen reader reads only what changes', () => {
  const shown = (attempt: number) => {
    const result = { kind: 'error', text: 'Your balance is too low.', attempt } as const
    const { children } = (DialogResult({ result }) as ReactElement<{ children: ReactElement[] }>).props
    return Children.toArray(children).at(-1) as ReactElement
  }
  expect(shown(1).key).toBe(shown(1).key)
  expect(shown(2).key).not.toBe(shown(1).key)
})
