import { browserStorage } from '#web/browser-storage.ts'
import { createStore } from '#web/store.ts'

/** `system` follows the operating system. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'consoleTheme'

const readTheme = (): Theme => THEMES.find((each) => each === browserStorage.getItem(KEY)) ?? 'system'

export const theme = createStore<Theme>(readTheme())

export function setTheme(next: Theme): void {
  browserStorage.setItem(KEY, next)
  theme.set(next)
  applyTheme()
}

/** Sets the attribute that the style sheet reads. Call it before the first render. */
export function applyTheme(): void {
  const chosen = theme.get()
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}
