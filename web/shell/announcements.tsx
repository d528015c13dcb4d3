import { useAnnouncements } from '#web/api/announcements.ts'
import { LoadedPart } from '#web/ui/loaded-part.tsx'

const loadCards = () => import('./announcement-card.tsx').then((module) => module.AnnouncementCards)

/** Where announcements appear: a live region from the start. Everything else is loaded with the first announcement. */
export function Announcements() {
  const received = useAnnouncements()
  const isWanted = Array.isArray(received) && received.length > 0
  return (
    <output>
      <LoadedPart load={loadCards} props={isWanted ? { received } : null} />
    </output>
  )
}
