import { type RefObject, useEffect } from 'react'
import { closeMenu } from './menu-store.ts'

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
    const update = (): void => setInert(isDrawer())
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return
      // Escape would close a card that appeared meanwhile, too.
      event.stopImmediatePropagation()
      closeMenu()
    }

    if (isDrawer()) element.querySelector<HTMLElement>('button')?.focus({ preventScroll: true })
    update()
    // A card may appear while the drawer is open.
    const additions = new MutationObserver(update)
    additions.observe(document.body, { childList: true, subtree: true })
    window.addEventListener('resize', update)
    window.addEventListener('keydown', onKey)
    return () => {
      additions.disconnect()
      setInert(false)
      window.removeEventListener('resize', update)
      window.removeEventListener('keydown', onKey)
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [open, aside])
}
