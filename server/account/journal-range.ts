import { firstJournalId } from '#server/ledger/journal-id.ts'

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const DAY_MS = 24 * 3_600_000

/**
 * The ids of the journals of some UTC days, the first and the last, and below a cursor. Journal ids ascend with time, so
 * days are ranges of them.
 */
export function journalRange(
  { from, to }: { from?: string; to?: string },
  cursor = LAST_ID,
): { before: string; notBefore: string } {
  const end = to === undefined ? LAST_ID : firstJournalId(new Date(Date.parse(to) + DAY_MS))
  const notBefore = from === undefined ? FIRST_ID : firstJournalId(new Date(from))
  return { before: cursor < end ? cursor : end, notBefore }
}
