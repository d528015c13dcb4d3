import { X } from 'lucide-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import check from '#web/art/icons/check.webp'
import cross from '#web/art/icons/cross.webp'
import info from '#web/art/icons/info.webp'
import warning from '#web/art/icons/warning.webp'
import { useStore } from '#web/store.ts'
import { words } from '#web/words/en.ts'
import { classNames } from './class-names.ts'
import { dismissToast, type ShownToast, toasts } from './toast-store.ts'
import styles from './toasts.module.css'

const PICTURES = { success: check, error: cross, info, warning }

/** Every toast of the game, in the top layer, so that an open dialog never hides one. */
export function Toasts() {
  const shown = useStore(toasts)
  const region = useRef<HTMLElement>(null)

  const newest = useRef(0)

  // Whatever entered the top layer last is on top: with a new toast the region enters it anew, above an open dialog.
  useEffect(() => {
    const element = region.current
    if (!element) return
    const open = element.matches(':popover-open')
    const newestShown = shown.at(-1)?.id ?? 0
    const behindDialog = newestShown > newest.current && document.querySelector('dialog[open]') !== null
    newest.current = Math.max(newest.current, newestShown)
    if (open && (shown.length === 0 || behindDialog)) element.hidePopover()
    if (shown.length > 0 && (!open || behindDialog)) element.showPopover()
  }, [shown])

  return (
    <section
      className={styles.toasts}
      ref={region}
      popover="manual"
      aria-label={words.toasts.region}
      aria-live="polite"
    >
      {shown.map((toast) => (
        <Toast key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function Toast({ toast }: { toast: ShownToast }) {
  const [held, setHeld] = useState(false)
  const leftMs = useRef(toast.durationMs)

  useEffect(() => {
    if (held) return
    const startedAt = performance.now()
    const timer = setTimeout(() => dismissToast(toast.id), leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current -= performance.now() - startedAt
    }
  }, [held, toast.id])

  return (
    <div
      className={classNames(styles.toast, toast.kind !== 'success' && styles[toast.kind])}
      style={{ '--dur': `${toast.durationMs}ms` } as CSSProperties}
      role={toast.kind === 'error' ? 'alert' : 'status'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <img className={styles.icon} src={PICTURES[toast.kind]} width="44" height="44" alt="" />
      <div>
        {toast.title ? <p className={styles.title}>{toast.title}</p> : null}
        <p className={styles.text}>{toast.text}</p>
      </div>
      <button
        className={styles.x}
        type="button"
        aria-label={words.toasts.dismiss}
        onClick={() => dismissToast(toast.id)}
      >
        <X aria-hidden="true" />
      </button>
    </div>
  )
}
