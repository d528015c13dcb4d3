import { browserStorage, unstored } from '#web/browser-storage.ts'
import { MOTION_KEY, SETTINGS_CHANGED, TIME_KEY } from '#web/storage-keys.ts'
import { settingsOpen } from './menu-store.ts'

/** The choices of each setting. The first is the default, which is not stored. */
export const SETTINGS = {
  [MOTION_KEY]: ['system', 'reduced'],
  [TIME_KEY]: ['auto', 'day', 'dusk', 'night'],
} as const

export type SettingName = keyof typeof SETTINGS

export function readSetting(name: SettingName): string {
  return browserStorage.getItem(name) ?? SETTINGS[name][0]
}

/** Stores a choice. `head-script.ts` applies it to the document, also in a browser that stores nothing. */
export function storeSetting(name: SettingName, choice: string): void {
  if (choice === SETTINGS[name][0]) browserStorage.removeItem(name)
  else browserStorage.setItem(name, choice)
  document.dispatchEvent(new CustomEvent(SETTINGS_CHANGED, { detail: unstored }))
}

export const openSettings = (): void => settingsOpen.set(true)

export const closeSettings = (): void => settingsOpen.set(false)
