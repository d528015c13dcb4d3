import Check from 'lucide-react/icons/check'
import Crown from 'lucide-react/icons/crown'
import Lock from 'lucide-react/icons/lock'
import { landMessages } from '#web/messages/en-land.ts'
import { LandBadge } from './land-badge.tsx'
import type { LandState } from './land-state.ts'

const PICTURES: Readonly<Record<LandState, typeof Check>> = { available: Check, owned: Lock, mine: Crown }

export function StateBadge({ state }: { state: LandState }) {
  const Picture = PICTURES[state]
  return (
    <LandBadge tone={state === 'available' ? 'free' : state}>
      <Picture aria-hidden="true" />
      <span>{landMessages.states[state]}</span>
    </LandBadge>
  )
}
