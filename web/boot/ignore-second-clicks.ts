/**
 * The second click of a double click presses no button but the one that the first has pressed. The first may have opened a
 * dialog or a page whose button is now under the pointer: a double click on a country could buy it.
 */
export function ignoreSecondClicks(page: Document): void {
  let first: Element | null = null
  page.addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null
      // A key press or a script makes a click that counts as none.
      if (event.detail <= 1) first = button
      else if (button && button !== first) {
        event.preventDefault()
        event.stopPropagation()
      }
    },
    { capture: true },
  )
}
