import '#web/api/browser-stub.ts'
import type { ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { renderHook } from '#web/api/hook-stub.tsx'
import type { Store } from '#web/store.ts'
import { Alerts, showAlert } from './alerts.tsx'

vi.mock('#web/store.ts', async (original) => ({
  ...(await original<object>()),
  useStore: <T>(store: Store<T>): T => store.get(),
}))

test('the next of two equal alerts opens a dialog of its own, so that the press of OK is seen', () => {
  const render = () => renderHook(() => Alerts() as ReactElement<{ title: string; onClose: () => void }>)
  for (let nth = 0; nth < 2; nth += 1) void showAlert({ kind: 'success', text: 'Wallet disconnected.' })
  const first = render()
  first.props.onClose()
  const second = render()
  expect(second.props.title).toBe(first.props.title)
  expect(second.key).not.toBe(first.key)
})
