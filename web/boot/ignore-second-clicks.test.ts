import { afterEach, expect, test, vi } from 'vitest'
import { ignoreSecondClicks } from './ignore-second-clicks.ts'

/** A page that says which button is under the pointer. */
class FakePage extends EventTarget {
  button: string | null = null
  closest(): string | null {
    return this.button
  }
}

afterEach(() => vi.unstubAllGlobals())

test('the second click of a double click presses what the first has pressed, or nothing', () => {
  vi.stubGlobal('Element', FakePage)
  const page = new FakePage()
  ignoreSecondClicks(page as unknown as Document)
  const isPressed = (button: string | null, detail: number): boolean => {
    page.button = button
    return page.dispatchEvent(new CustomEvent('click', { detail, cancelable: true }))
  }
  expect([isPressed('card', 1), isPressed('buy', 2), isPressed('buy', 3)]).toEqual([true, false, false])
  // A country on a map is no button.
  expect([isPressed(null, 1), isPressed('buy', 2)]).toEqual([true, false])
  expect([isPressed('buy', 1), isPressed('buy', 2)]).toEqual([true, true])
  // A key press.
  expect([isPressed('card', 1), isPressed('buy', 0)]).toEqual([true, true])
})
