import X from 'lucide-react/icons/x'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { playEffect } from '#web/audio/sound.ts'
import { goalMessages } from '#web/messages/en-goals.ts'
import { useStore } from '#web/store.ts'
import { Confetti } from '#web/ui/confetti.tsx'
import { moveToFreePlace } from '#web/ui/find-free-place.ts'
import { frameClass } from '#web/ui/frame.tsx'
import { topDialog } from '#web/ui/open-dialogs.ts'
import { toasts } from '#web/ui/toast-store.ts'
import { Badge } from './badge.tsx'
import styles from './celebration.module.css'
import { type Celebration, celebrations, endCelebration } from './celebrations.ts'
import { refreshMilestones, useMilestones } from './use-milestones.ts'

/** Everything that can reach a milestone changes the balance. A harvest of four fields changes it four times. */
const SETTLE_MS = 400

const SHOWN_MS = 7_000

/** The preferred place first. `celebration.module.css` has their positions. */
const PLACES = ['top', 'sign', 'end', 'centre'] as const

const PLACE_INTERVAL_MS = 250

/** More badges than these leave no room for their names. */
const MAX_BADGES = 3

/** Celebrates the player's new milestones on any page, each once, without covering a control. */
export function MilestoneCelebrations() {
  const client = useQueryClient()
  const { walletAddress } = useSession()
  const balance = useBalance()
  const waiting = useStore(celebrations).filter((each) => each.walletAddress === walletAddress)
  const isCovered = useStore(topDialog) !== null
  const hasToasts = useStore(toasts).length > 0
  const [shownId, setShownId] = useState<Celebration['id']>()
  useMilestones()

  const lastBalance = useRef(balance)
  useEffect(() => {
    if (lastBalance.current === balance) return
    lastBalance.current = balance
    const timer = setTimeout(() => refreshMilestones(client), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [client, balance])

  // A card waits for the toasts that are shown, because both may be at the bottom of the window.
  const next = isCovered ? undefined : waiting[0]
  const current = hasToasts && next?.id !== shownId ? undefined : next
  if (current && current.id !== shownId) setShownId(current.id)
  return (
    <>
      <output className="vh">
        {current ? goalMessages.spoken(current.milestones.map(goalMessages.titleOf)) : null}
      </output>
      {current ? <CelebrationCard key={current.id} {...current} /> : null}
    </>
  )
}

function CelebrationCard({ id, milestones }: Celebration) {
  const [isPaused, setIsPaused] = useState(false)
  const shown = milestones.slice(-MAX_BADGES)
  const place = useRef<HTMLElement>(null)

  useEffect(() => playEffect('sold'), [])
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
