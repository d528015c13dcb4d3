import type { ComponentProps, KeyboardEvent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { renderHook } from '#web/api/hook-stub.tsx'
import { Button } from './button.tsx'
import { Coins } from './coins.tsx'

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
