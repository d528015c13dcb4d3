import { createStore } from '#web/store.ts'

/** The id of the topmost dialog; null while none is open. */
export const topDialog = createStore<string | null>(null)

/** Whether the summary of an absence is above the page. */
export const summaryShown = createStore(false)

let open: readonly string[] = []

function setOpen(next: readonly string[]): void {
  const root = document.documentElement
  const { style } = root
  // The place of the scrollbar stays free. Otherwise the page becomes wider by it, and everything on it moves. Widths are read
  // for the first dialog only: the browser computes its layout for them.
  if (open.length === 0 && window.innerWidth > root.clientWidth) style.scrollbarGutter = 'stable'
  open = next
  topDialog.set(open.at(-1) ?? null)
  // Dialogs close in any order, and a page that is left closes all of its own at once, the lowest first.
  style.overflow = open.length > 0 ? 'hidden' : ''
  if (open.length === 0) style.scrollbarGutter = ''
}

/** Registers an open dialog as the topmost one. Returns a function that removes it. The page does not scroll meanwhile. */
export function registerDialog(id: string): () => void {
  setOpen([...open, id])
  return () => setOpen(open.filter((each) => each !== id))
}
