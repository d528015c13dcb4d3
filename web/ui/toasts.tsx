import X from 'lucide-react/icons/x'
import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from '#web/store.ts'
import { messages } from '#web/messages/en.ts'
import { Button } from './button.tsx'
import { topDialog } from './open-dialogs.ts'
import { OUTCOME_ICONS } from './outcome.ts'
import { OutcomeBody, outcomeClass } from './outcome-body.tsx'
import { dismissToast, type ShownToast, toasts } from './toast-store.ts'
import styles from './toasts.module.css'
import { useIsHidden } from './use-is-hidden.ts'

let overlay: typeof import('./overlay.ts') | undefined

/** Loads what toasts need at the first gesture, so that none appears before its icon, even offline. */
function prepareAtFirstGesture(): () => void {
  const gestures = new AbortController()
  const onGesture = (): void => {
    gestures.abort()
    prepare()
  }
  for (const gesture of ['pointerdown', 'keydown'])
    document.addEventListener(gesture, onGesture, { signal: gestures.signal, passive: true })
  return () => gestures.abort()
}

function prepare(): void {
  for (const icon of Object.values(OUTCOME_ICONS)) new Image().src = icon
  void loadOverlay()
}

/** Without it toasts stand at the preferred place, and do not return the focus. */
async function loadOverlay(): Promise<void> {
  overlay = await import('./overlay.ts').catch(() => undefined)
}

/** The preferred place first. `toasts.module.css` has their positions. */
const PLACES = ['centre', 'start', 'end', 'top'] as const

const PLACE_INTERVAL_MS = 250

const NONE: readonly ShownToast[] = []

/** In the background no toast is there: its time would pass unseen. */
function useShownToasts(): readonly ShownToast[] {
  const shown = useStore(toasts)
  return useIsHidden() ? NONE : shown
}

/** Where toasts appear while no dialog is open. */
export function Toasts() {
  const shown = useShownToasts()
  const covered = useStore(topDialog) !== null
  const region = useRef<HTMLElement>(null)
  const visible = shown.length > 0 && !covered

  useEffect(prepareAtFirstGesture, [])

  // A popover is in the top layer, so that the phone's menu never covers a toast. It is open before the first one: a screen
  // reader does not read what appears together with its live region.
  useLayoutEffect(() => {
    const element = region.current
    // Firefox before 125 has no popovers: there it is in sight from the start.
    if (covered || !element || !('showPopover' in element)) return
    element.showPopover()
    return () => element.hidePopover()
  }, [covered])

  // The page below changes and scrolls while toasts are open.
  useLayoutEffect(() => {
    if (!visible) return
    const place = (): void => {
      if (region.current) overlay?.moveToFreePlace(region.current, PLACES)
    }
    place()
    const timer = setInterval(place, PLACE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [visible])

  return (
    <section
      className={styles.toasts}
      ref={region}
      popover="manual"
      aria-label={messages.toasts.region}
      aria-live="polite"
    >
      {covered ? null : <NewestOnTop shown={shown} />}
    </section>
  )
}

/**
 * Where toasts appear while this dialog is on top. A modal makes everything outside of it inert, including the button
 * that dismisses a toast. Toasts start below the dialog's own close button.
 */
export function DialogToasts({ dialog }: { dialog: string }) {
  const shown = useShownToasts()
  const onTop = useStore(topDialog) === dialog
  if (!onTop) return null
  return (
    <section className={styles.inDialog} aria-label={messages.toasts.region} aria-live="polite">
      <NewestOnTop shown={shown} />
    </section>
  )
}

/** `toasts.module.css` hides all but the newest. */
const NewestOnTop = ({ shown }: { shown: readonly ShownToast[] }) =>
  shown.map((toast) => <Toast key={toast.id} toast={toast} isVisible={toast === shown.at(-1)} />)

/** Returns the focus when the toast is removed. */
const followFocus = (toast: HTMLElement | null) => (toast ? overlay?.followFocus(toast) : undefined)

/** A toast that was replaced sooner counts as unseen. */
const SEEN_AFTER_MS = 500

/** Its time runs from when it is visible. One that was replaced before it was seen waits until it is visible again. */
function Toast({ toast, isVisible }: { toast: ShownToast; isVisible: boolean }) {
  const [paused, setPaused] = useState(false)
  // The time that had passed when it appeared here. A toast that moves into or out of a dialog continues its countdown, and
  // so does one that was in the background.
  const [passedMs] = useState(() => toast.durationMs - toast.left.ms)

  useEffect(() => {
    const { left, id, durationMs } = toast
    const wasSeen = durationMs - left.ms >= SEEN_AFTER_MS
    if (paused || toast.action || !(isVisible || wasSeen)) return
    const startedAt = performance.now()
    const timer = setTimeout(() => dismissToast(id), left.ms)
    return () => {
      clearTimeout(timer)
      left.ms -= performance.now() - startedAt
    }
  }, [paused, toast, isVisible])

  return (
    <div
      ref={followFocus}
      className={outcomeClass(toast.kind, styles.toast, toast.action && styles.waiting)}
      style={{ '--dur': `${toast.durationMs}ms`, '--passed': `${-passedMs}ms` } as CSSProperties}
      role={toast.kind === 'error' ? 'alert' : 'status'}
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <OutcomeBody {...toast}>
        {toast.action ? (
          <Button size="sm" onClick={toast.action.run}>
            {toast.action.label}
          </Button>
        ) : null}
      </OutcomeBody>
      {toast.action ? null : (
        <button
          className={styles.x}
          type="button"
          aria-label={messages.toasts.dismiss}
          onClick={() => dismissToast(toast.id)}
        >
          <X aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
