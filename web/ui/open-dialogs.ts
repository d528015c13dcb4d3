import { createStore } from '#web/store.ts'

/** The id of the topmost dialog; null while none is open. */
export const topDialog = createStore<string | null>(null)

/** Whether the summary of an absence is above the page. */
export const summaryShown = createStore(false)

let open: readonly string[] = []

function setOpen(next: readonly string[]): void {
  open = next
  topDialog.set(open.at(-1) ?? null)
  // Dialogs close in any order, and a page that is left closes all of its own at once, the lowest first.
  document.documentElement.style.overflow = open.length > 0 ? 'hidden' : ''
}

/** Registers an open dialog as the topmost one. Returns a function that removes it. The page does not scroll meanwhile. */
export function registerDialog(id: string): () => void {
  setOpen([...open, id])
  return () => setOpen(open.filter((each) => each !== id))
}
