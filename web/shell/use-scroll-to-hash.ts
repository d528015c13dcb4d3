import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** Scrolls to a panel and focuses its title if the address has its `#id`, once the panel is `ready`. */
export function useScrollToHash(id: string, ready = true): void {
  const location = useLocation()
  useEffect(() => {
    const title = document.getElementById(`${id}-title`)
    if (!ready || location.hash !== `#${id}` || !title) return
    title.scrollIntoView({ block: 'center' })
    title.focus({ preventScroll: true })
  }, [id, ready, location])
}
