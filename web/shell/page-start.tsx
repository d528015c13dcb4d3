import { useEffect } from 'react'
import { createStore, useStore } from '#web/store.ts'

let isFirst = true

/** The title of the page that was opened last; empty for the first page of the visit, which the browser announces. */
const opened = createStore('')

/**
 * Scrolls a new page to its top, moves the focus to its heading and announces its title, except for the first page of the
 * visit.
 */
export function PageStart() {
  useEffect(() => {
    if (isFirst) {
      isFirst = false
      return
    }
    window.scrollTo({ top: 0, behavior: 'instant' })
    const heading = document.querySelector<HTMLElement>('#main h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
    opened.set(document.title)
  }, [])
  return null
}

/** Announces the opened page to screen readers. */
export function PageAnnouncer() {
  const title = useStore(opened)
  return (
    <p className="vh" aria-live="polite">
      {title}
    </p>
  )
}
