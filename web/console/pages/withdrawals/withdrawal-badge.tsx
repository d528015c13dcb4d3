import { pageMessages } from '#web/messages/en-console-pages.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const TONES: Readonly<Record<string, Tone>> = {
  review: 'warn',
  approved: 'note',
  signed: 'note',
  sent: 'note',
  finalized: 'good',
}

type State = Exclude<keyof typeof pageMessages.withdrawals.states, 'open'>

export function WithdrawalBadge({ state }: { state: State }) {
  return <Badge tone={TONES[state] ?? 'plain'}>{pageMessages.withdrawals.states[state]}</Badge>
}
