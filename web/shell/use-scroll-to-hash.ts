import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** Brings a panel into sight, and the focus to its title, when a link to its `#id` led here and it is `ready`. */
export function useScrollToHash(id: string, ready = true): void {
  const location = useLocation()
  useEffect(() => {
    const title = document.getElementById(`${id}-title`)
    if (!ready || location.hash !== `#${id}` || !title) return
    title.scrollIntoView({ block: 'center' })
    title.focus({ preventScroll: true })
  }, [id, ready, location])
}
