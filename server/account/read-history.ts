import type { ReplyOf } from '#contract/route.ts'
import type { readHistory as historyRoute } from '#contract/history.ts'
import { baseUnits, toWire } from '#game/cotton.ts'
import { parcelOf } from '#game/world.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { journalRange } from './journal-range.ts'

type History = ReplyOf<typeof historyRoute>

export type JournalRow = {
  id: string
  kind: History['items'][number]['kind']
  at: Date
  detail: Record<string, string>
  amount: bigint
  /** The other player of a resale. */
  counterparty: string | null
}

// Journal ids ascend with time, so the newest page is the end of one index range. A resale finds its listing by key.
const readPage = sql({
  name: 'history-page',
  params: { wallet: 'text', before: 'uuid', notBefore: 'uuid', limit: 'integer' },
  row: rowOf<JournalRow>(),
  text: ({ wallet, before, notBefore, limit }) =>
    `select moved.journal_id::text as id, j.kind::text, j.at, j.detail, moved.amount,
       case when j.kind = 'resale' then (
         select case when l.buyer = ${wallet} then l.seller else l.buyer end from listings l where l.journal_id = j.id
       ) end as counterparty
     from (
       select journal_id, sum(amount)::bigint as amount from entries
       where wallet = ${wallet} and version is not null and journal_id < ${before}
         and journal_id >= ${notBefore}
       group by journal_id order by journal_id desc limit ${limit}
     ) moved join journals j on j.id = moved.journal_id order by moved.journal_id desc`,
})

// The seller's entries of a resale stand in the buyer's journal, which only the listing names.
const readPageOfKind = sql({
  name: 'history-page-of-kind',
  params: { wallet: 'text', kind: 'move_kind', before: 'uuid', notBefore: 'uuid', limit: 'integer' },
  row: rowOf<JournalRow>(),
  text: ({ wallet, kind, before, notBefore, limit }) =>
    `select j.id::text, j.kind::text, j.at, j.detail, moved.amount, found.counterparty from (
       (select id, (select l.seller from listings l where l.journal_id = own.id) as counterparty from journals own
        where wallet = ${wallet} and kind = ${kind} and id < ${before} and id >= ${notBefore}
        order by id desc limit ${limit})
       union all
       (select journal_id, buyer from listings
        where seller = ${wallet} and state = 'sold' and ${kind} = 'resale'
          and journal_id < ${before} and journal_id >= ${notBefore}
        order by journal_id desc limit ${limit})
       order by 1 desc limit ${limit}
     ) found join journals j on j.id = found.id, lateral (
       select sum(amount)::bigint as amount from entries
       where wallet = ${wallet} and journal_id = found.id and version is not null
     ) moved where moved.amount is not null order by found.id desc`,
})

// An amount that is not final may exceed a bigint: only what is credited is limited.
const readPending = sql({
  name: 'history-pending',
  params: { wallet: 'text' },
  row: rowOf<{ signature: string; amount: string; seen_at: Date }>(),
  text: ({ wallet }) =>
    `select signature, amount::text, seen_at from receipts
     where wallet = ${wallet} and state = 'pending' and asset = 'cotton' order by seen_at desc limit 20`,
})

export type HistoryFilter = {
  kind?: History['items'][number]['kind'] | undefined
  /** UTC days, the first and the last. */
  from?: string | undefined
  to?: string | undefined
}

/** A page of journals that match a filter, newest first, those before a cursor. */
export function readJournals(
  db: Db,
  { wallet, before, limit }: { wallet: string; before: string | undefined; limit: number },
  { kind, ...days }: HistoryFilter,
): Promise<JournalRow[]> {
  // A client may send a UUID in upper case, which sorts before lower case.
  const page = { wallet, ...journalRange(days, before?.toLowerCase()), limit }
  return kind === undefined ? db.rows(readPage, page) : db.rows(readPageOfKind, { ...page, kind })
}

/** A page of the journals that changed a player's balance, newest first, and the deposits that are not final yet. */
export async function readHistory(
  db: Db,
  { wallet, before, limit }: { wallet: string; before: string | undefined; limit: number },
  filter: HistoryFilter = {},
): Promise<History> {
  // Before the journals: a deposit that is credited between the two reads is in both. In the other order it would be in
  // neither.
  const pending = await db.rows(readPending, { wallet })
  const journals = await readJournals(db, { wallet, before, limit }, filter)
  const credited = new Set(journals.map(({ detail }) => detail.signature))
  return {
    success: true,
    items: journals.map(({ amount, at, counterparty, ...journal }) => ({
      ...journal,
      detail: {
        ...journal.detail,
        ...namesOf(journal.detail),
        ...(counterparty === null ? {} : { counterparty }),
      },
      amount: toWire(baseUnits(amount)),
      at: at.toISOString(),
    })),
    next: journals.length === limit ? journals.at(-1)!.id : null,
    pending: pending
      .filter(({ signature }) => !credited.has(signature))
      .map((each) => ({
        signature: each.signature,
        amount: toWire(baseUnits(BigInt(each.amount))),
        at: each.seen_at.toISOString(),
      })),
  }
}

/** The names of the land that a journal is about. The rules of the game have them, so old journals have them too. */
export function namesOf({ parcelId }: Record<string, string>): Record<string, string> {
  const parcel = parcelId === undefined ? undefined : parcelOf(parcelId)
  return parcel ? { countryName: parcel.countryName, regionName: parcel.regionName } : {}
}
