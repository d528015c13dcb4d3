/** A withdrawal as its row says. Amounts are in base units. */
export type Withdrawal = {
  id: string
  wallet: string
  state: string
  amount: string
  earned: string
  day: string
  reason: string | null
  reasons: string[]
  cancelled: boolean
}

/** What the invariants compare, as of one moment. */
export type LedgerSnapshot = {
  total: bigint
  drifted: number
  held: bigint
  credits: { signature: string; wallet: string; amount: string }[]
  withdrawals: Withdrawal[]
  claimed: { wallet: string; amount: string; until: number }[]
  days: { day: string; budget: string }[]
  receipts: { signature: string; state: string; asset: string }[]
  sweeps: { signature: string; state: string; until: string }[]
  unreturned: string[]
  paused: boolean
  /** The withdrawals with a signed payout. */
  signed: string[]
  reserve: Reserve | null
  frozen: string[]
  /** How many journals each wallet has that a frozen wallet must not get. */
  moves: { wallet: string; count: number }[]
  /** How many journals only an operator's act may write. */
  operatorJournals: number
  /** The nonces of acts that the signer has done. */
  doneActs: string[]
}

/** The last reserve snapshot. `atMs` is in milliseconds since 1970. */
export type Reserve = { atMs: number; slot: string; tookMs: number; confirmed: boolean }

/**
 * The parts of the snapshot, each with the tables that it reads. What a world picks from has an order. Without one, the
 * order is that of the rows on disk, which depends on the time of the last vacuum, and one seed would have several histories.
 */
export const SNAPSHOT_PARTS: readonly { tables: readonly string[]; columns: string }[] = [
  {
    tables: ['accounts', 'entries', 'journals'],
    columns: `(select coalesce(sum(amount), 0)::bigint from entries) as total,
  (select count(*)::int from accounts a left join (
     select wallet, account::text as class, sum(amount) as total from entries where version is not null group by 1, 2
   ) e on e.wallet = a.wallet and e.class = a.class::text
   where a.balance <> coalesce(e.total, 0) or a.balance < 0) as drifted,
  (select coalesce(sum(amount), 0)::bigint from entries where account = 'held') as held,
  (select coalesce(json_agg(json_build_object('signature', j.detail ->> 'signature', 'wallet', e.wallet, 'amount', e.amount::text)), '[]')
   from journals j join entries e on e.journal_id = j.id and e.account = 'deposited' where j.kind = 'deposit') as credits,
  (select coalesce(json_agg(json_build_object('wallet', wallet, 'amount', amount, 'until', until)), '[]') from (
     select e.wallet, sum(e.amount)::text as amount, floor(extract(epoch from max(j.at)) * 1000)::bigint as until from journals j join entries e on e.journal_id = j.id and e.account = 'earned'
     where j.kind = 'claim' group by 1) c) as claimed,
  (select coalesce(json_agg(json_build_object('wallet', wallet, 'count', count)), '[]') from (
     select wallet, count(*)::int from journals
     where kind not in ('deposit', 'refund', 'cancellation', 'settlement') group by wallet) m) as moves,
  (select count(*)::int from journals where kind in ('adjustment', 'funding')) as "operatorJournals"`,
  },
  {
    tables: ['withdrawals'],
    columns: `(select coalesce(json_agg(json_build_object('id', id, 'wallet', wallet, 'state', state, 'amount', (deposited + earned)::text,
     'earned', earned::text, 'day', day, 'reason', reason, 'reasons', reasons, 'cancelled', cancelled_at is not null) order by id), '[]')
   from withdrawals) as withdrawals`,
  },
  {
    tables: ['entries', 'journals', 'withdrawals'],
    columns: `(select coalesce(json_agg(id), '[]') from (
     select w.id from withdrawals w
     join journals j on j.wallet = w.wallet and j.kind in ('withdrawal', 'refund', 'cancellation')
       and j.detail ->> 'withdrawalId' = w.id::text
     join entries e on e.wallet = j.wallet and e.journal_id = j.id
     where w.state = 'refunded' group by w.id, e.account having sum(e.amount) <> 0) r) as unreturned`,
  },
  {
    tables: ['reward_days'],
    columns: `(select coalesce(json_agg(json_build_object('day', day, 'budget', budget::text)), '[]') from reward_days) as days`,
  },
  {
    tables: ['receipts'],
    columns: `(select coalesce(json_agg(json_build_object('signature', signature, 'state', state, 'asset', asset)), '[]') from receipts) as receipts`,
  },
  {
    tables: ['sweeps'],
    columns: `(select coalesce(json_agg(json_build_object('signature', signature, 'state', state, 'until', last_valid_height::text)), '[]') from sweeps) as sweeps`,
  },
  {
    tables: ['settings'],
    columns: `exists (select from settings where name = 'withdrawals_paused') as paused`,
  },
  {
    tables: ['payouts'],
    columns: `(select coalesce(json_agg(withdrawal_id), '[]') from payouts) as signed`,
  },
  {
    tables: ['solvency'],
    columns: `(select json_build_object('atMs', floor(extract(epoch from at) * 1000)::bigint, 'slot', slot::text, 'tookMs', took_ms,
     'confirmed', confirmed) from solvency) as reserve`,
  },
  {
    tables: ['frozen_wallets'],
    columns: `(select coalesce(json_agg(wallet order by wallet), '[]') from frozen_wallets) as frozen`,
  },
  {
    tables: ['operator_acts'],
    columns: `(select coalesce(json_agg(nonce), '[]') from operator_acts where state = 'done') as "doneActs"`,
  },
]

type Statement = { name: string; text: string }

/** Reads the parts that may differ after these tables were written, in one statement. Null if none may. */
export function snapshotStatement(written: ReadonlySet<string> | 'all'): Statement | null {
  const parts = SNAPSHOT_PARTS.filter(
    ({ tables }) => written === 'all' || tables.some((table) => written.has(table)),
  )
  if (parts.length === 0) return null
  const numbers = parts.map((part) => SNAPSHOT_PARTS.indexOf(part))
  const text = `select ${parts.map(({ columns }) => columns).join(', ')}`
  return { name: `invariants-${numbers.join('-')}`, text }
}
