import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import type { ReserveComparison } from './compare-reserve.ts'

/** A reserve snapshot, as it is stored. Only the last one is stored. */
export type ReserveSnapshot = Omit<ReserveComparison, 'free' | 'uncertain'> & {
  at: Date
  /** The wallets of cold storage that the snapshot counted. */
  coldWallets: readonly string[]
  tookMs: number
  /** Since when tokens are missing, and whether a later snapshot has confirmed it. */
  shortSince: Date | null
  confirmed: boolean
}

const read = sql({
  name: 'solvency-read',
  row: rowOf<ReserveSnapshot>(),
  text: `select at, slot, took_ms as "tookMs", treasury, cold, cold_wallets as "coldWallets",
     deposit_accounts as "depositAccounts", in_flight as "inFlight",
     deposited, pool, held, credited_ahead as "creditedAhead", surplus, short_since as "shortSince", confirmed
   from solvency`,
})

const insertSnapshot = sql({
  name: 'solvency-insert',
  params: {
    at: 'timestamptz',
    slot: 'bigint',
    tookMs: 'integer',
    treasury: 'bigint',
    depositAccounts: 'bigint',
    inFlight: 'bigint',
    deposited: 'bigint',
    pool: 'bigint',
    held: 'bigint',
    creditedAhead: 'bigint',
    surplus: 'bigint',
    shortSince: 'timestamptz | null',
    confirmed: 'boolean',
    cold: 'bigint',
    coldWallets: 'text[]',
    replacedSlot: 'bigint | null',
  },
  row: rowOf<{ slot: bigint }>(),
  text: (of) =>
    `insert into solvency (at, slot, took_ms, treasury, deposit_accounts, in_flight, deposited, pool, held, credited_ahead,
       surplus, short_since, confirmed, cold, cold_wallets)
     values (${of.at}, ${of.slot}, ${of.tookMs}, ${of.treasury}, ${of.depositAccounts}, ${of.inFlight},
       ${of.deposited}, ${of.pool}, ${of.held}, ${of.creditedAhead}, ${of.surplus},
       ${of.shortSince}, ${of.confirmed}, ${of.cold}, ${of.coldWallets})
     on conflict (one) do update set at = excluded.at, slot = excluded.slot, took_ms = excluded.took_ms,
       treasury = excluded.treasury, deposit_accounts = excluded.deposit_accounts, in_flight = excluded.in_flight,
       deposited = excluded.deposited, pool = excluded.pool, held = excluded.held, credited_ahead = excluded.credited_ahead,
       surplus = excluded.surplus, short_since = excluded.short_since, confirmed = excluded.confirmed,
       cold = excluded.cold, cold_wallets = excluded.cold_wallets
       where solvency.slot = ${of.replacedSlot}
     returning slot`,
})

/** The last snapshot; null if there is none yet. */
export async function readSnapshot(db: Queryable): Promise<ReserveSnapshot | null> {
  return (await db.rows(read))[0] ?? null
}

/** Stores a snapshot in place of `last`; false if that is no longer the last one. */
export async function storeSnapshot(
  db: Queryable,
  { snapshot, last }: { snapshot: ReserveSnapshot; last: Pick<ReserveSnapshot, 'slot'> | null },
): Promise<boolean> {
  const replacedSlot = last?.slot ?? null
  return (await db.rows(insertSnapshot, { ...snapshot, replacedSlot })).length === 1
}
