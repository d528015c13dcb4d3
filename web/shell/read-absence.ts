import { readHistory, readLastSeen } from '#contract/history.ts'
import { readWithdrawals } from '#contract/withdrawals.ts'
import { call } from '#web/api/call.ts'
import { readAmount } from '#web/api/complete.ts'
import { serverClock } from '#web/api/server-clock.ts'
import { type EventSummary, summarizeAbsence, type PlayerLists } from './summarize-absence.ts'
import { AWAY_MS, loadLastSeen, storeLastSeen } from './last-seen.ts'

/** When an absence started, and what happened during it. */
export type Absence = { since: Date; events: readonly EventSummary[] }

type ReturnVisit = { walletAddress: string; since: number; signal: AbortSignal }

/**
 * The absence of a player who returns; null if another window of this browser shows it, or the player was active on
 * another device. The absence ends only when this resolves, so one that was not shown is shown at the next visit.
 */
export function readAbsence(visit: ReturnVisit): Promise<Absence | null> {
  // Two windows that open at once would both show it. Only secure contexts have locks.
  if (!('locks' in navigator)) return read(visit)
  return navigator.locks.request('while-away', () => read(visit))
}

async function read({ walletAddress, since, signal }: ReturnVisit): Promise<Absence | null> {
  if (loadLastSeen(walletAddress) !== since) return null
  const [{ elsewhereAt }, { withdrawals }] = await Promise.all([
    call(readLastSeen, { signal }),
    call(readWithdrawals, { query: {}, signal }),
  ])
  const elsewhere = elsewhereAt === null ? 0 : Date.parse(elsewhereAt)
  const awaySince = new Date(Math.max(since + serverClock.offsetMs(), elsewhere))
  const wasAway = serverClock.now().getTime() - awaySince.getTime() >= AWAY_MS
  const history = wasAway ? await historySince(awaySince, signal) : []
  signal.throwIfAborted()
  storeLastSeen(walletAddress, Date.now())
  if (!wasAway) return null
  const lists = {
    history,
    withdrawals: withdrawals.map((each) => ({ ...each, amount: readAmount(each.amount) })),
  }
  return { since: awaySince, events: summarizeAbsence(awaySince, lists) }
}

/** The player's history after `since`, and some items before it. */
async function historySince(since: Date, signal: AbortSignal): Promise<PlayerLists['history']> {
  const items: PlayerLists['history'][number][] = []
  let before: string | undefined
  do {
    const page = await call(readHistory, { query: { before, limit: '100' }, signal })
    items.push(...page.items.map((item) => ({ ...item, amount: readAmount(item.amount) })))
    before = page.next ?? undefined
  } while (before !== undefined && Date.parse(items.at(-1)!.at) > since.getTime())
  return items
}
