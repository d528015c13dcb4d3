import { playEffect } from '#web/audio/sound.ts'
import { createStore } from '#web/store.ts'
import type { Outcome } from './outcome.ts'

/** A toast with an `action` stays until it is dismissed by code, and has the action's button in place of a cross. */
export type ToastContent = Outcome & { durationMs: number; action?: { label: string; run: () => void } }

/** `left` is the remaining time. The component that shows the toast counts it down. */
export type ShownToast = ToastContent & { id: number; left: { ms: number } }

/** The default duration of a toast (spec §9). */
export const TOAST_MS = 3_000

export const toasts = createStore<readonly ShownToast[]>([])

/** More toasts at the same time would hide the page. The oldest gives way, but not one with an action. */
const MAX_SHOWN = 3

let lastId = 0

/** Returns the toast's id. */
export function showToast({
  durationMs = TOAST_MS,
  ...content
}: Omit<ToastContent, 'durationMs'> & { durationMs?: number }): number {
  if (content.kind === 'error') playEffect('refuse')
  lastId += 1
  const shown = toasts.get()
  const oldest = shown.length < MAX_SHOWN ? undefined : shown.find(({ action }) => !action)
  toasts.set([
    ...shown.filter((toast) => toast !== oldest),
    { ...content, durationMs, id: lastId, left: { ms: durationMs } },
  ])
  return lastId
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}
