import { createStore } from '#web/store.ts'

/** The id of the dialog on top of all others; null while none is open. */
export const topDialog = createStore<string | null>(null)

let open: readonly string[] = []

function setOpen(next: readonly string[]): void {
  open = next
  topDialog.set(open.at(-1) ?? null)
}

/** Notes that a dialog lies on top until the answer is called. */
export function registerDialog(id: string): () => void {
  setOpen([...open, id])
  return () => setOpen(open.filter((each) => each !== id))
}
