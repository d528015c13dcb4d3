import { createStore } from '#web/store.ts'

/** The id of the topmost dialog; null while none is open. */
export const topDialog = createStore<string | null>(null)

/** Whether the summary of an absence is above the page. */
export const summaryShown = createStore(false)

let open: readonly string[] = []

function setOpen(next: readonly string[]): void {
  open = next
  topDialog.set(open.at(-1) ?? null)
}

/** Registers an open dialog as the topmost one. Returns a function that removes it. */
export function registerDialog(id: string): () => void {
  setOpen([...open, id])
  return () => setOpen(open.filter((each) => each !== id))
}
