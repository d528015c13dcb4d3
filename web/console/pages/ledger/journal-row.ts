import type { listJournals } from '#contract/console/ledger.ts'
import type { ConsoleReply } from '#contract/console/route.ts'

export type JournalRow = ConsoleReply<typeof listJournals>['items'][number]
