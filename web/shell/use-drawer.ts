import { type RefObject, useEffect } from 'react'
import { closeMenu } from './menu-store.ts'

/** Marks elements that are inert while a drawer is open. */
export const behindMenu = { 'data-behind-menu': '' }

/** While the menu is open as a drawer, it traps the focus and Escape closes it. Then the focus returns. */
export function useDrawer(open: boolean, aside: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = aside.current
    if (!open || !element) return
    const opener = document.activeElement
    const isDrawer = (): boolean => getComputedStyle(element).position === 'fixed'

    const setInert = (inert: boolean): void => {
      for (const behind of document.querySelectorAll<HTMLElement>('[data-behind-menu]')) behind.inert = inert
    }
    const onResize = (): void => setInert(isDrawer())
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) closeMenu()
    }

    if (isDrawer()) element.querySelector<HTMLElement>('button')?.focus({ preventScroll: true })
    onResize()
    window.addEventListener('resize', onResize)
    window.addEventListener('keydown', onKey)
    return () => {
      setInert(false)
      window.removeEventListener('resize', onResize)
      window.removeEventListener('keydown', onKey)
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [open, aside])
}
