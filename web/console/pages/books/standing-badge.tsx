import type { ReserveStanding } from '#contract/transparency.ts'
import type * as z from 'zod/mini'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { Badge } from '../../ui/badge.tsx'

const TONES = { covered: 'good', unconfirmed: 'warn', short: 'bad', unseen: 'warn' } as const

/** Whether the tokens cover what is owed. */
export function StandingBadge({ standing }: { standing: z.output<typeof ReserveStanding> }) {
  return <Badge tone={TONES[standing]}>{pageMessages.today.standings[standing]}</Badge>
}
