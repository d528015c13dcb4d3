import { createStore } from '#web/store.ts'

/** Whether the side menu is open, where it is a drawer. */
export const menu = createStore(false)

export const closeMenu = (): void => menu.set(false)

/** Whether the settings are open. */
export const settingsOpen = createStore(false)

/**
 * Closes both on Back and Forward. It has to listen before the router does: what is inert cannot get the focus of the next
 * page, and the first page has another menu, which would open in place of this one.
 */
export function closeOnBack(): void {
  window.addEventListener('popstate', () => {
    closeMenu()
    settingsOpen.set(false)
  })
}

/** The window event that opens and closes the menu (S-11). */
const TOGGLE_MENU = 'toggle-menu'

export function toggleMenu(): void {
  window.dispatchEvent(new CustomEvent(TOGGLE_MENU))
}

const toggle = (): void => menu.set(!menu.get())

/** Listens for the event while the shell is mounted. */
export function listenForToggle(): () => void {
  window.addEventListener(TOGGLE_MENU, toggle)
  return () => window.removeEventListener(TOGGLE_MENU, toggle)
}
