import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { goalMessages } from '#web/messages/en-goals.ts'
import { useStore } from '#web/store.ts'
import { summaryShown, topDialog } from '#web/ui/open-dialogs.ts'
import { toasts } from '#web/ui/toast-store.ts'
import { type Celebration, celebrations } from './celebrations.ts'
import { refreshMilestones, useMilestones } from './use-milestones.ts'

/** Everything that can reach a milestone changes the balance. A harvest of four fields changes it four times. */
const SETTLE_MS = 400

// Most visits have no celebration.
const CelebrationCard = lazy(async () => ({
  default: (await import('./celebration-card.tsx')).CelebrationCard,
}))

/** Celebrates the player's new milestones on any page, each once, without covering a control. */
export function MilestoneCelebrations() {
  const client = useQueryClient()
  const { walletAddress } = useSession()
  const balance = useBalance()
  const waiting = useStore(celebrations).filter((each) => each.walletAddress === walletAddress)
  const hasDialog = useStore(topDialog) !== null
  const hasSummary = useStore(summaryShown)
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
  const next = hasDialog || hasSummary ? undefined : waiting[0]
  const current = hasToasts && next?.id !== shownId ? undefined : next
  if (current && current.id !== shownId) setShownId(current.id)
  return (
    <>
      <output className="vh">
        {current ? goalMessages.spoken(current.milestones.map(goalMessages.titleOf)) : null}
      </output>
      <Suspense>{current ? <CelebrationCard key={current.id} {...current} /> : null}</Suspense>
    </>
  )
}
