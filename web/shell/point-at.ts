import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** Scrolls to a control, focuses it, and marks it with a ring and a pulse until it loses the focus. */
export function pointAt(control: HTMLElement | null | undefined): void {
  if (!control) return
  control.scrollIntoView({ block: 'center' })
  control.focus({ preventScroll: true })
  control.toggleAttribute('data-pointed', true)
  control.addEventListener('blur', () => control.removeAttribute('data-pointed'), { once: true })
}

/** Points at the button that an address names: `#hire-kid`, for example. */
export function usePointAtHash(): void {
  const location = useLocation()
  useEffect(() => {
    if (location.hash.startsWith('#hire-')) pointAt(document.getElementById(location.hash.slice(1)))
  }, [location])
}
