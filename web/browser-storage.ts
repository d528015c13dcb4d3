/** What the browser did not store: its storage is blocked or full. These values last as long as the page. */
export const unstored = new Map<string, string>()

/**
 * The browser's local storage. It never throws: a player whose browser stores nothing can play, and has to log in again
 * after a reload. Always empty in the prerender build.
 */
export const browserStorage = {
  getItem(key: string): string | null {
    try {
      return unstored.get(key) ?? localStorage.getItem(key)
    } catch {
      return null
    }
  },
  setItem(key: string, value: string): void {
    unstored.set(key, value)
    try {
      localStorage.setItem(key, value)
      unstored.delete(key)
    } catch {}
  },
  removeItem(key: string): void {
    unstored.delete(key)
    try {
      localStorage.removeItem(key)
    } catch {}
  },
}
