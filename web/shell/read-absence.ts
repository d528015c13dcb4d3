import { readHistory, readLastSeen } from '#contract/history.ts'
import { readUserListings } from '#contract/market.ts'
import { readWithdrawals } from '#contract/withdrawals.ts'
import { call } from '#web/api/call.ts'
import { serverClock } from '#web/api/server-clock.ts'
import { type EventSummary, summarizeAbsence, type PlayerLists } from './summarize-absence.ts'
import { AWAY_MS, loadLastSeen, storeLastSeen } from './last-seen.ts'

/** Since when a player was nowhere in the game, and what happened meanwhile. */
export type Absence = { since: Date; events: readonly EventSummary[] }

type ReturnVisit = { walletAddress: string; since: number; signal: AbortSignal }

/**
 * What to tell a player who comes back; null where another page of this browser tells it already, or they were here on
 * another device. An absence is over as soon as this has answered, and not before: what was never told is told next time.
 */
export function readAbsence(visit: ReturnVisit): Promise<Absence | null> {
  // Two windows that open at once would both tell it. Only pages from a safe origin have locks.
  if (!('locks' in navigator)) return read(visit)
  return navigator.locks.request('while-away', () => read(visit))
}

async function read({ walletAddress, since, signal }: ReturnVisit): Promise<Absence | null> {
  if (loadLastSeen(walletAddress) !== since) return null
  const [{ elsewhereAt }, { withdrawals }, { listings }] = await Promise.all([
    call(readLastSeen, { signal }),
    call(readWithdrawals, { query: {}, signal }),
    call(readUserListings, { params: { wallet: walletAddress }, query: {}, signal }),
  ])
  const elsewhere = elsewhereAt === null ? 0 : Date.parse(elsewhereAt)
  const awaySince = new Date(Math.max(since + serverClock.offsetMs(), elsewhere))
  const wasAway = serverClock.now().getTime() - awaySince.getTime() >= AWAY_MS
  const history = wasAway ? await historySince(awaySince, signal) : []
  signal.throwIfAborted()
  storeLastSeen(walletAddress, Date.now())
  return wasAway
    ? { since: awaySince, events: summarizeAbsence(awaySince, { history, withdrawals, listings }) }
    : null
}

/** Every movement after `since`, and some before it. */
async function historySince(since: Date, signal: AbortSignal): Promise<PlayerLists['history']> {
  const items: PlayerLists['history'][number][] = []
  let before: string | undefined
  do {
    const page = await call(readHistory, { query: { before, limit: '100' }, signal })
    items.push(...page.items)
    before = page.next ?? undefined
  } while (before !== undefined && Date.parse(items.at(-1)!.at) > since.getTime())
  return items
}
