import type { Address, Signature } from '#server/chain/port.ts'
import { type Queryable, rowOf, rowset, sql } from '#server/platform/db/db.ts'
import { FUNDINGS_SETTING } from './record-funding.ts'

// One statement, so that all figures are of one moment. It reads running totals, open accounts and recent changes, each
// along its own index, whatever the length of the history. `offset 0` makes Postgres look up each of the few rows; by its
// estimates it would read a whole table.
const selectBooks = sql({
  name: 'solvency-read-books',
  params: {
    read: rowset({ token_account: 'text', slot: 'bigint' }),
    slot: 'bigint',
    landedAfter: 'timestamptz',
    settledAfter: 'timestamptz',
    oldestSlot: 'bigint',
  },
  row: rowOf<Books>(),
  text: ({ read, slot, landedAfter, settledAfter, oldestSlot }) =>
    `with read_at as (
       select * from ${read}
     ), ahead as (
       select c.token_account, c.signature, c.amount from receipts c join read_at r using (token_account)
       where c.asset = 'cotton' and c.state = 'credited' and c.slot > ${oldestSlot} and c.slot > r.slot
     ), landed_lately as (
       select token_account, signature, amount from sweeps where state = 'finalized' and at >= ${landedAfter}
     ), concerned as (
       select token_account from read_at
       union
       select token_account from landed_lately
       union
       select token_account from token_account_totals where is_open
     ), totals as (
       select t.token_account, t.credited, r.slot is not null as was_read,
         case when r.slot is null then 0
           else t.credited - (select coalesce(sum(a.amount), 0) from ahead a where a.token_account = t.token_account)
         end as by_slot,
         t.swept - (select coalesce(sum(l.amount), 0) from landed_lately l where l.token_account = t.token_account) as swept
       from concerned
       cross join lateral (
         select * from token_account_totals found
         where found.token_account = concerned.token_account and found.credited > 0 offset 0
       ) t
       left join read_at r on r.token_account = t.token_account
     ), owed as (
       select sum(deposited) as deposited, sum(pool) as pool, sum(held) as held from credit_totals
     ), moving as (
       select id, deposited + earned as amount, false as settled from withdrawals where state in ('signed', 'sent')
       union all
       select id, deposited + earned, true from withdrawals where state = 'finalized' and settled_at >= ${settledAfter}
     )
     select
       (select coalesce(deposited, 0) from owed)::bigint as deposited,
       (select coalesce(pool, 0) from owed)::bigint as pool,
       (select coalesce(held, 0) from owed)::bigint as held,
       (select coalesce(sum((f.funding ->> 'amount')::bigint), 0)
        from settings s cross join lateral jsonb_array_elements(s.value) as f (funding)
        where s.name = '${FUNDINGS_SETTING}' and s.at > ${landedAfter}
          and (f.funding ->> 'slot')::bigint > ${slot})::bigint as "fundedAhead",
       (select coalesce(json_agg(json_build_array(token_account, credited::text, by_slot::text, swept::text)), '[]')
        from totals where was_read or credited <> swept) as accounts,
       (select coalesce(json_agg(json_build_array(c.signature, c.amount::text, c.token_account, a.owner)), '[]')
        from ahead c left join deposit_addresses a using (token_account)) as ahead,
       (select coalesce(json_agg(json_build_array(signature, amount::text, token_account)), '[]') from (
          select signature, amount, token_account from sweeps where state = 'signed'
          union all
          select signature, amount, token_account from landed_lately
        ) s) as sweeps,
       (select coalesce(json_agg(json_build_array(
            w.amount::text, w.settled,
            array[p.signature] || array(select r.signature from payout_replacements r where r.withdrawal_id = w.id)
          )), '[]')
        from moving w
        cross join lateral (select signature from payouts where withdrawal_id = w.id offset 0) p) as payouts`,
})

const selectAhead = sql({
  name: 'solvency-read-ahead',
  params: { read: rowset({ token_account: 'text', slot: 'bigint' }) },
  row: rowOf<{ signature: Signature; amount: string; account: Address; owner: Address | null }>(),
  text: ({ read }) =>
    `select c.signature, c.amount::text as amount, c.token_account as account, a.owner
     from ${read}
     cross join lateral (
       select * from receipts found
       where found.token_account = read.token_account and found.asset = 'cotton' and found.state = 'credited'
         and found.slot > read.slot offset 0
     ) c
     left join deposit_addresses a on a.token_account = c.token_account`,
})

/** The accounts that were read from the chain, each with its slot, and how far back single changes are compared. */
export type BooksQuery = {
  read: { token_account: Address; slot: bigint }[]
  slot: bigint
  landedAfter: Date
  settledAfter: Date
  oldestSlot: bigint
}

/** What the books say of the reserve. Amounts in the lists are text, because JSON has no bigint. */
export type Books = {
  deposited: bigint
  pool: bigint
  held: bigint
  fundedAhead: bigint
  accounts: [account: string, credited: string, bySlot: string, swept: string][]
  /** `owner` is null if the account is no deposit address. */
  ahead: [signature: Signature, amount: string, account: Address, owner: Address | null][]
  sweeps: [signature: Signature, amount: string, account: string][]
  payouts: [amount: string, settled: boolean, signatures: Signature[]][]
}

/** Reads the books as of one moment. */
export async function readBooks(db: Queryable, query: BooksQuery): Promise<Books> {
  const [books] = await db.rows(selectBooks, query)
  return books!
}

/** What the ledger has credited to these accounts from slots later than those at which they were read. */
export async function readAhead(db: Queryable, read: BooksQuery['read']): Promise<Books['ahead']> {
  const rows = await db.rows(selectAhead, { read })
  return rows.map(({ signature, amount, account, owner }) => [signature, amount, account, owner])
}

/** Every signature of the game's own transactions. */
export const ownTransactions = ({ sweeps, payouts }: Books): Signature[] => [
  ...sweeps.map(([signature]) => signature),
  ...payouts.flatMap(([, , signatures]) => signatures),
]

/** The game's own transactions as a text, which differs if one was added or settled. */
export const namesOf = ({ sweeps, payouts }: Books): string =>
  [...sweeps, ...payouts]
    .map((each) => JSON.stringify(each))
    .toSorted()
    .join()
