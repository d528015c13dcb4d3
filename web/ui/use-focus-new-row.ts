import { type RefObject, useLayoutEffect } from 'react'
import { focusIfLost } from './focus-if-lost.ts'

/** When a button that shows more rows disappears with the focus, moves the focus to the first new row. */
export function useFocusNewRow(button: RefObject<HTMLElement | null>, rows: string): void {
  // After each render, because it counts the rows that are shown until the next one.
  useLayoutEffect(() => {
    const element = button.current
    const section = element?.closest('section')
    if (!element || !section) return
    const count = section.querySelectorAll(rows).length
    return () => {
      if (document.activeElement !== element) return
      // The new rows are inserted after the button is removed.
      queueMicrotask(() => {
        if (element.isConnected) return
        const row = section.querySelectorAll<HTMLElement>(rows)[count]
        row?.setAttribute('tabindex', '-1')
        focusIfLost(row)
      })
    }
  })
}
