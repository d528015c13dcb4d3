import type { ConsoleReply } from '#contract/console/route.ts'
import type { readToday } from '#contract/console/today.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { Badge } from '../../ui/badge.tsx'

type Standing = Pick<ConsoleReply<typeof readToday>['reserve'], 'standing' | 'surplus'>

const TONES = { covered: 'good', short: 'bad', unseen: 'warn', unconfirmed: 'warn' } as const

/** Whether the tokens cover what is owed. A shortage that no later check has confirmed neither does nor stops payouts. */
export function StandingBadge({ standing, surplus }: Standing) {
  const shown = standing === 'covered' && surplus?.startsWith('-') ? 'unconfirmed' : standing
  return <Badge tone={TONES[shown]}>{pageMessages.today.standings[shown]}</Badge>
}
