import { readFileSync } from 'node:fs'

/** $COTTON as JSON has it: a number, or text with at most six decimals. */
export type Amount = number | string

/** What each action is called with, and what its answer states. Reads carry no key. */
export type Actions = {
  claim: { args: { workerId: string }; reply: { amount: Amount; balance: Amount } }
  hire: { args: { type: string; price: Amount }; reply: { workerId: string; balance: Amount } }
  'buy-parcel': { args: { parcelId: string; price: Amount }; reply: { balance: Amount } }
  list: { args: { parcelId: string; price: Amount }; reply: { listingId: string } }
  /** `receives` is what the seller gets, as the listing states it. */
  'buy-listing': {
    args: { listingId: string; parcelId: string; seller: string; price: Amount; receives: Amount }
    reply: { balance: Amount }
  }
  cancel: { args: { listingId: string; parcelId: string; price: Amount }; reply: object }
  withdraw: { args: { amount: Amount }; reply: { withdrawalId: string; balance: Amount } }
  'cancel-withdrawal': { args: { withdrawalId: string }; reply: object }
  /** The reply says that the chain has the transfer. It is credited some time later, before the next state. */
  deposit: { args: { signature: string; amount: Amount }; reply: object }
  'read-balance': { args: object; reply: { balance: Amount } }
  'read-owner': { args: { parcelId: string }; reply: { owner: string | null } }
}

export type ActionName = keyof Actions

/** One attempt of a client. `at` is in milliseconds of one clock for the whole file. */
export type Call<A extends ActionName = ActionName> = {
  event: 'call'
  call: number
  at: number
  wallet: string
  /** The idempotency key; null for a read. Attempts with the same key are one operation. */
  key: string | null
  action: A
  args: Actions[A]['args']
}

/**
 * done: the reply says that it happened. refused: the answer says that this attempt changed nothing. unknown: anything
 * else. A call without an answer is unknown, too.
 */
export type Answer = { event: 'answer'; call: number; at: number } & (
  | { outcome: 'done'; reply: object }
  | { outcome: 'refused'; code: string }
  | { outcome: 'unknown'; detail?: string }
)

/** All that is stored, read while no client waits for an answer. */
export type State = {
  event: 'state'
  at: number
  balances: Record<string, Amount>
  workers: { id: string; wallet: string; type: string; claimed: Amount }[]
  supply: Record<string, { sold: number; max: number }>
  /** The owner of each parcel that is owned. */
  owners: Record<string, string>
  listings: {
    id: string
    parcelId: string
    seller: string
    price: Amount
    state: 'active' | 'sold' | 'cancelled'
    buyer: string | null
  }[]
  withdrawals: {
    id: string
    wallet: string
    amount: Amount
    cancelled: boolean
    refunded: boolean
    /** Its transfer on the chain is final. */
    paid: boolean
  }[]
  /** Deposits that are credited. */
  deposits: { signature: string; wallet: string; amount: Amount }[]
}

/** Says what happens between two states, for people. The checker ignores it. */
export type Remark = { event: 'remark'; at: number; text: string }

export type HistoryEvent = Call | Answer | State | Remark

/** A part of a history: two states, and what clients saw between them. */
export type Segment = { before: State; events: (Call | Answer)[]; after: State }

export function readHistory(path: string): HistoryEvent[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  // A program that was killed may leave half a line.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as HistoryEvent)
}

/**
 * Splits a history at its states. An attempt without a known outcome may still take effect in the `lateMs` after it was
 * made, so it counts in the following segments, too.
 */
export function splitHistory(events: readonly HistoryEvent[], lateMs: number): Segment[] {
  const segments: Segment[] = []
  let before: State | undefined
  let current: (Call | Answer)[] = []
  for (const event of events) {
    if (event.event === 'remark') continue
    if (event.event !== 'state') {
      current.push(event)
      continue
    }
    if (before) segments.push({ before, events: current, after: event })
    current = before ? listLateAttempts(current, event.at - lateMs) : []
    before = event
  }
  return segments
}

/** Attempts after `since` without a known outcome. */
export function listLateAttempts(events: readonly (Call | Answer)[], since: number): Call[] {
  const answers = events.filter((event) => event.event === 'answer' && event.outcome !== 'unknown')
  const answered = new Set(answers.map(({ call }) => call))
  const done = new Set(
    answers.flatMap((each) => (each.event === 'answer' && each.outcome === 'done' ? each.call : [])),
  )
  const calls = events.filter((event) => event.event === 'call')
  // Another attempt with the same key may say that it happened.
  const doneKeys = new Set(calls.flatMap(({ call, key }) => (done.has(call) && key !== null ? key : [])))
  return calls.filter(
    ({ call, at, key }) => at > since && !answered.has(call) && key !== null && !doneKeys.has(key),
  )
}

/** An amount in millionths of $COTTON, exactly. */
export function units(amount: Amount): bigint {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,6})0*)?$/.exec(String(amount)) ?? []
  if (whole === undefined) throw new Error(`${amount} is not an amount of $COTTON.`)
  const positive = BigInt(whole) * 1_000_000n + BigInt(decimals.padEnd(6, '0'))
  return sign ? -positive : positive
}

/** An amount for a sentence. */
export function formatUnits(amount: bigint): string {
  const positive = amount < 0n ? -amount : amount
  const decimals = String(positive % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${positive / 1_000_000n}${decimals && `.${decimals}`}`
}
