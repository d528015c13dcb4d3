import Check from 'lucide-react/icons/check'
import Crown from 'lucide-react/icons/crown'
import Lock from 'lucide-react/icons/lock'
import { classNames } from '#web/ui/class-names.ts'
import { landMessages } from '#web/messages/en-land.ts'
import type { LandState } from './land-state.ts'
import styles from './lot.module.css'

const PICTURES: Readonly<Record<LandState, typeof Check>> = { available: Check, owned: Lock, mine: Crown }

export function StateBadge({ state }: { state: LandState }) {
  const Picture = PICTURES[state]
  return (
    <span className={classNames(styles.badge, styles[`${state}Badge`])}>
      <Picture aria-hidden="true" />
      {landMessages.states[state]}
    </span>
  )
}
