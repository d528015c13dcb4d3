import type { ReplyOf } from '#contract/route.ts'
import type { readHistory as historyRoute } from '#contract/history.ts'
import { baseUnits, toWire } from '#game/cotton.ts'
import { parcelOf } from '#game/world.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'

type History = ReplyOf<typeof historyRoute>

type JournalRow = {
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
  params: { wallet: 'text', before: 'uuid', limit: 'integer' },
  row: rowOf<JournalRow>(),
  text: ({ wallet, before, limit }) =>
    `select moved.journal_id::text as id, j.kind::text, j.at, j.detail, moved.amount,
       case when j.kind = 'resale' then (
         select case when l.buyer = ${wallet} then l.seller else l.buyer end from listings l where l.journal_id = j.id
       ) end as counterparty
     from (
       select journal_id, sum(amount)::bigint as amount from entries
       where wallet = ${wallet} and version is not null and journal_id < ${before}
       group by journal_id order by journal_id desc limit ${limit}
     ) moved join journals j on j.id = moved.journal_id order by moved.journal_id desc`,
})

const readPending = sql({
  name: 'history-pending',
  params: { wallet: 'text' },
  row: rowOf<{ signature: string; amount: bigint; seen_at: Date }>(),
  text: ({ wallet }) =>
    `select signature, amount::bigint, seen_at from receipts
     where wallet = ${wallet} and state = 'pending' and asset = 'cotton' order by seen_at desc limit 20`,
})

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** A page of the journals that changed a player's balance, newest first, and the deposits that are not final yet. */
export async function readHistory(
  db: Db,
  { wallet, before, limit }: { wallet: string; before: string | undefined; limit: number },
): Promise<History> {
  const journals = await db.rows(readPage, { wallet, before: before ?? NEWEST, limit })
  const pending = await db.rows(readPending, { wallet })
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
    pending: pending.map((each) => ({
      signature: each.signature,
      amount: toWire(baseUnits(each.amount)),
      at: each.seen_at.toISOString(),
    })),
  }
}

/** The names of the land that a journal is about. The rules of the game have them, so old journals have them too. */
function namesOf({ parcelId }: Record<string, string>): Record<string, string> {
  const parcel = parcelId === undefined ? undefined : parcelOf(parcelId)
  return parcel ? { countryName: parcel.countryName, regionName: parcel.regionName } : {}
}
