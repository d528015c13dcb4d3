import X from 'lucide-react/icons/x'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { playEffect } from '#web/audio/sound.ts'
import { goalMessages } from '#web/messages/en-goals.ts'
import { Confetti } from '#web/ui/confetti.tsx'
import { frameClass } from '#web/ui/frame.tsx'
import { moveToFreePlace } from '#web/ui/overlay.ts'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { Badge } from './badge.tsx'
import styles from './celebration.module.css'
import { type Celebration, endCelebration } from './celebrations.ts'

const SHOWN_MS = 7_000

/** One that a dialog hides after this time was seen, and does not come back with its sound. */
const SEEN_AFTER_MS = 2_000

/** The preferred place first. `celebration.module.css` has their positions. */
const PLACES = ['top', 'sign', 'end', 'centre'] as const

const PLACE_INTERVAL_MS = 250

/** More badges than these leave no room for their names. */
const MAX_BADGES = 3

/** The milestones of one call, until they are dismissed. */
export function CelebrationCard({ id, milestones }: Celebration) {
  const [isPaused, setIsPaused] = useState(false)
  const shown = milestones.slice(-MAX_BADGES)
  const place = useRef<HTMLElement>(null)
  useFocusFallback(place, 'main')

  useEffect(() => playEffect('sold'), [])
  useEffect(() => {
    const shownAt = performance.now()
    return () => {
      if (performance.now() - shownAt >= SEEN_AFTER_MS) endCelebration(id)
    }
  }, [id])
  // The page below changes and scrolls while the card is open.
  useLayoutEffect(() => {
    const move = (): void => {
      if (place.current) moveToFreePlace(place.current, PLACES)
    }
    move()
    const timer = setInterval(move, PLACE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (isPaused) return
    const timer = setTimeout(() => endCelebration(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isPaused])

  return (
    <aside className={styles.place} ref={place} aria-label={goalMessages.celebrated(milestones.length)}>
      <div
        className={frameClass({ small: true }, styles.card)}
        onFocus={() => setIsPaused(true)}
        onBlur={() => setIsPaused(false)}
      >
        <Confetti className={styles.confetti} pictures />
        <div className={styles.badges}>
          {shown.map((milestone) => (
            <Badge key={milestone.code} milestone={milestone} />
          ))}
        </div>
        <div className={styles.text}>
          <p className={styles.title}>{goalMessages.celebrated(milestones.length)}</p>
          <p className={styles.names}>{goalMessages.reachedNames(milestones.map(goalMessages.titleOf))}</p>
        </div>
        <button
          type="button"
          className={styles.close}
          aria-label={goalMessages.dismiss}
          onClick={() => endCelebration(id)}
        >
          <X aria-hidden="true" />
        </button>
      </div>
    </aside>
  )
}
