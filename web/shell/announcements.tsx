import { type ComponentType, useEffect, useState } from 'react'
import { useAnnouncements } from '#web/api/announcements.ts'

/** Where announcements appear: a live region from the start. Everything else is loaded with the first announcement. */
export function Announcements() {
  const received = useAnnouncements()
  const isWanted = Array.isArray(received) && received.length > 0
  const [Cards, setCards] = useState<ComponentType<{ received: unknown }>>()
  useEffect(() => {
    if (isWanted)
      import('./announcement-card.tsx').then(
        (module) => setCards(() => module.AnnouncementCards),
        () => {},
      )
  }, [isWanted])
  return <output>{isWanted && Cards ? <Cards received={received} /> : null}</output>
}
