import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { renderHook } from '#web/api/hook-stub.tsx'
import { messages } from '#web/messages/en.ts'
import { walletFreeze } from '#web/wallet-freeze.ts'
import { Button } from './button.tsx'
import { Coins } from './coins.tsx'
import { toasts } from './toast-store.ts'

afterEach(() => vi.unstubAllGlobals())

test('a text beside a picture is alone in an element, because a translator of the browser replaces its node', () => {
  const button = (busy: boolean): string => renderToStaticMarkup(<Button busy={busy}>BUY</Button>)
  expect(button(false)).toMatch(/<button[^>]*><span>BUY<\/span><\/button>$/)
  expect(button(true)).toMatch(/<button[^>]*><img[^>]*><span>BUY<\/span><\/button>$/)
  expect(renderToStaticMarkup(<Coins>1,234</Coins>)).toMatch(/<img[^>]*><span>1,234<\/span><\/span>$/)
})

test('a key that stays down presses a button once, and other keys repeat', () => {
  const { onKeyDown } = renderHook(() => Button({ children: 'BUY' }).props as ComponentProps<'button'>)
  const isIgnored = (key: string, repeat: boolean): boolean => {
    let ignored = false
    const preventDefault = (): void => {
      ignored = true
    }
    onKeyDown?.({ key, repeat, preventDefault } as KeyboardEvent<HTMLButtonElement>)
    return ignored
  }
  expect(['Enter', ' ', 'Tab'].map((key) => isIgnored(key, true))).toEqual([true, true, false])
  expect(['Enter', ' ', 'Tab'].map((key) => isIgnored(key, false))).toEqual([false, false, false])
})

test('a frozen button leads to the note with the reason, and says itself that the wallet is frozen if there is none', () => {
  vi.spyOn(walletFreeze, 'getPrerendered').mockReturnValue({
    reason: 'A report.',
    since: '2026-11-01T00:00:00Z',
  })
  const click = vi.fn<() => void>()
  const press = (note: { click: () => void } | null): void => {
    vi.stubGlobal('document', { getElementById: () => note })
    const { onClick } = renderHook(
      () => Button({ movesValue: true, children: 'BUY' }).props as ComponentProps<'button'>,
    )
    onClick?.({ preventDefault: () => undefined } as MouseEvent<HTMLButtonElement>)
  }
  press({ click })
  expect(click).toHaveBeenCalledOnce()
  expect(toasts.get()).toEqual([])
  press(null)
  expect(toasts.get()).toMatchObject([{ kind: 'warning', text: messages.frozen }])
  toasts.set([])
})
