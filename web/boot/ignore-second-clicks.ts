/** Two taps this close in time and place are one double tap. The buttons that a player presses in turn are farther apart. */
const DOUBLE_TAP_MS = 350
const DOUBLE_TAP_PX = 24

/** When and where the page was pressed. */
type Press = { at: number; x: number; y: number }

/**
 * The second click of a double click presses no button but the one that the first has pressed. The first may have opened a
 * dialog or a page whose button is now under the pointer: a double click on a country could buy it. Browsers on iOS count
 * each tap as a first click.
 */
export function ignoreSecondClicks(page: Document): void {
  let first: Element | null = null
  let last: Press | null = null
  let isTap = false
  let pressedAt: number | null = null
  page.addEventListener(
    'pointerdown',
    ({ pointerType, timeStamp }) => {
      // Also by a pen. Every browser counts the clicks of a mouse.
      isTap = pointerType !== 'mouse'
      pressedAt = timeStamp
    },
    { capture: true },
  )
  page.addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null
      // The click itself is late if the page is busy with the one before. That of a screen reader may have no press.
      const press = { at: pressedAt ?? event.timeStamp, x: event.clientX, y: event.clientY }
      pressedAt = null
      // A key press or a script makes a click that counts as none.
      const isSecond = event.detail > 1 || (isTap && event.detail === 1 && isNear(last, press))
      last = press
      if (!isSecond) first = button
      else if (button && button !== first) {
        event.preventDefault()
        event.stopPropagation()
      }
    },
    { capture: true },
  )
}

const isNear = (last: Press | null, { at, x, y }: Press): boolean =>
  last !== null && at - last.at < DOUBLE_TAP_MS && Math.hypot(x - last.x, y - last.y) < DOUBLE_TAP_PX
