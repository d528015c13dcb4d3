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

test('the second tap of a double tap presses no other button, although iOS counts it as a first click', () => {
  vi.stubGlobal('Element', FakePage)
  const page = new FakePage()
  ignoreSecondClicks(page as unknown as Document)
  const happens = (event: Event, at: number): boolean =>
    page.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: at }))
  const isClicked = (button: string, at: number, y = 500): boolean => {
    page.button = button
    const click = new CustomEvent('click', { detail: 1, cancelable: true })
    return happens(Object.assign(click, { clientX: 90, clientY: y }), at)
  }
  const isPressed = (
    button: string,
    at: number,
    { pointerType = 'touch', y = 500, clickedAt = at + 60 } = {},
  ): boolean => {
    happens(Object.assign(new Event('pointerdown'), { pointerType }), at)
    return isClicked(button, clickedAt, y)
  }
  expect([isPressed('card', 0), isPressed('buy', 200), isPressed('buy', 400)]).toEqual([true, false, false])
  // After a pause, and the same button again.
  expect([isPressed('buy', 900), isPressed('buy', 1_000)]).toEqual([true, true])
  // In another place, and by a mouse, of which the browser counts the clicks.
  expect(isPressed('claim', 1_100, { y: 560 })).toBe(true)
  expect(isPressed('buy', 1_200, { pointerType: 'mouse', y: 560 })).toBe(true)
  // While the page is busy with the first tap, and by a pen.
  expect([isPressed('card', 2_000), isPressed('buy', 2_200, { clickedAt: 3_000 })]).toEqual([true, false])
  expect([isPressed('card', 4_000), isPressed('buy', 4_200, { pointerType: 'pen' })]).toEqual([true, false])
  // By a screen reader, which puts no finger on the page.
  expect(isClicked('claim', 6_000)).toBe(true)
})
