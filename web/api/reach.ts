import { createStore } from '#web/store.ts'

/** Why the game does not answer: nothing comes back, or it says that it cannot just now. */
export type Trouble = 'unreachable' | 'busy'

/** How the last call went, and when an answer came last. */
export const reach = createStore<{ trouble: Trouble | null; heardAt: Date | null }>({
  trouble: null,
  heardAt: null,
})

export function noteAnswer(): void {
  reach.set({ trouble: null, heardAt: new Date() })
}

export function noteTrouble(trouble: Trouble): void {
  if (reach.get().trouble !== trouble) reach.set({ ...reach.get(), trouble })
}
