import { checkHistory } from './check-history.ts'
import type { HistoryEvent, State } from './history.ts'

export const EMPTY: State = {
  event: 'state',
  at: 0,
  balances: { ana: '1000', bob: '1000' },
  workers: [],
  supply: { kid: { sold: 0, max: 1 } },
  owners: {},
  listings: [],
  withdrawals: [],
  deposits: [],
}

let calls = 0
/** One call and its answer, which is unknown without a reply. */
export function exchange(
  [from, to]: [number, number],
  [wallet, action, args, reply]: [string, string, object, object | null],
  key: string | null = `key-${++calls}`,
): HistoryEvent[] {
  const call = ++calls
  const answer = reply ? { outcome: 'done', reply } : { outcome: 'unknown' }
  const events = [
    { event: 'call', call, at: from, wallet, key, action, args },
    { event: 'answer', call, at: to, ...answer },
  ]
  return events as HistoryEvent[]
}

/** What is wrong with a history that begins with `EMPTY` and ends with this. */
export const faultsOf = (events: HistoryEvent[], after: Partial<State> = {}): string =>
  checkHistory([EMPTY, ...events, { ...EMPTY, at: 100, ...after }]).faults.join('\n')

/** Ana hires a kid. */
export const hire = (reply: object | null) => ['ana', 'hire', { type: 'kid', price: 50 }, reply] as never
export const KID = { id: 'kid-1', wallet: 'ana', type: 'kid', claimed: 0 }
export const HIRED = {
  workers: [KID],
  supply: { kid: { sold: 1, max: 1 } },
  balances: { ana: 950, bob: 1000 },
}
