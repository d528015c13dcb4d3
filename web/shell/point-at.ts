import { useEffect } from 'react'
import { useLocation } from 'react-router'

const PULSE: Keyframe[] = [{ transform: 'scale(1)' }, { transform: 'scale(1.06)' }, { transform: 'scale(1)' }]
const PULSE_MS = 600

/** Scrolls to a control, focuses it and marks it until it loses the focus. Without reduced motion it also pulses. */
export function pointAt(control: HTMLElement | null | undefined): void {
  if (!control) return
  control.scrollIntoView({ block: 'center' })
  control.focus({ preventScroll: true })
  control.toggleAttribute('data-pointed', true)
  control.addEventListener('blur', () => control.removeAttribute('data-pointed'), { once: true })
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  control.animate(PULSE, { duration: PULSE_MS, iterations: 3, easing: 'ease-in-out' })
}

/** Points at the button that an address names: `#hire-kid`, for example. */
export function usePointAtHash(): void {
  const location = useLocation()
  useEffect(() => {
    if (location.hash.startsWith('#hire-')) pointAt(document.getElementById(location.hash.slice(1)))
  }, [location])
}
