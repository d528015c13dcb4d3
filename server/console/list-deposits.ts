import type { Deposit, listDeposits as route } from '#contract/console/deposits.ts'
import type { ConsoleCall, ConsoleReply } from '#contract/console/route.ts'
import { toDecimal } from '#game/cotton.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { formatSol } from '#server/platform/format-sol.ts'
import type * as z from 'zod/mini'
import { instant, instantOrNull } from './exact.ts'
import { fromCursor, LAST_TIME, PAGE_ROWS, toPage } from './pages.ts'

type View = z.output<typeof Deposit>

type Row = Pick<
  View,
  'signature' | 'wallet' | 'asset' | 'mint' | 'amount' | 'state' | 'tokenAccount' | 'journalId'
> & {
  why: string | null
  slot: bigint
  seenAt: Date
  creditedAt: Date | null
  key: string
}

// Whoever has the login of the api or the watcher can store a mint of any length.
const columns = (time: string): string =>
  `r.signature, r.token_account as "tokenAccount", r.wallet, r.asset, left(r.mint, 44) as mint, r.amount::text, r.state,
   r.why, r.slot, r.seen_at as "seenAt", r.credited_at as "creditedAt", r.journal_id::text as "journalId", r.${time}::text as key`

const PAGE = { at: 'text', signature: 'text', account: 'text', limit: 'integer' } as const

/**
 * Receipts of one kind, newest first. The index is on the time alone; the few that arrived in the same millisecond are
 * sorted by their keys.
 */
const declareList = (name: string, { time, where }: { time: 'seen_at' | 'credited_at'; where: string }) =>
  sql({
    name,
    params: PAGE,
    row: rowOf<Row>(),
    text: ({ at, signature, account, limit }) =>
      `select ${columns(time)} from receipts r
       where ${where} and r.${time} <= ${at}::timestamptz
         and (r.${time}, r.signature, r.token_account) < (${at}::timestamptz, ${signature}, ${account})
       order by r.${time} desc, r.signature desc, r.token_account desc limit ${limit}`,
  })

const LISTS = {
  pending: declareList('console-deposits-pending', {
    time: 'seen_at',
    where: `r.state = 'pending' and r.seen_at > '-infinity'`,
  }),
  credited: declareList('console-deposits-credited', {
    time: 'credited_at',
    where: `r.asset = 'cotton' and r.state = 'credited'`,
  }),
  uncredited: declareList('console-deposits-uncredited', { time: 'seen_at', where: `r.state = 'unclaimed'` }),
  unassigned: declareList('console-deposits-unassigned', {
    time: 'seen_at',
    where: `r.state = 'unclaimed' and r.wallet is null`,
  }),
}

const readOfWallet = sql({
  name: 'console-deposits-of-wallet',
  params: { wallet: 'text', ...PAGE },
  row: rowOf<Row>(),
  text: ({ wallet, at, signature, account, limit }) =>
    `select ${columns('seen_at')} from receipts r
     where r.wallet = ${wallet} and r.seen_at <= ${at}::timestamptz
       and (r.seen_at, r.signature, r.token_account) < (${at}::timestamptz, ${signature}, ${account})
     order by r.seen_at desc, r.signature desc, r.token_account desc limit ${limit}`,
})

// Nothing is as late as `infinity`, so these are compared with nothing.
const ANY = ''

/** A page of what arrived at deposit addresses. */
export async function listDeposits(
  db: Queryable,
  { view, wallet, cursor }: ConsoleCall<typeof route>['query'],
): Promise<ConsoleReply<typeof route>> {
  const [at = LAST_TIME, signature = ANY, account = ANY] = fromCursor(cursor, 3) ?? []
  const page = { at, signature, account, limit: PAGE_ROWS + 1 }
  const rows = await (wallet === undefined
    ? db.rows(LISTS[view], page)
    : db.rows(readOfWallet, { wallet, ...page }))
  return toPage(rows, { key: (row) => [row.key, row.signature, row.tokenAccount], item: toDeposit })
}

/** The newest receipts of a wallet. */
export async function readNewestDeposits(
  db: Queryable,
  { wallet, limit }: { wallet: string; limit: number },
): Promise<View[]> {
  const newest = { at: LAST_TIME, signature: ANY, account: ANY }
  return (await db.rows(readOfWallet, { wallet, ...newest, limit })).map(toDeposit)
}

/** What a receipt waits for, or why it is not credited. */
const WHY: Readonly<Record<string, string>> = {
  second_node: 'large, and only one node reports it: it waits for a second one',
  nodes_disagree: 'the nodes report different amounts: check them',
  sol: 'SOL, which the game does not credit',
  other_token: 'another token, or $COTTON outside the associated token account',
  before_yours: 'arrived before the address was assigned to this player',
  of_nobody: 'arrived at an address that is not assigned to a player',
  too_large: 'above the limit for automatic credit, and too much for an adjustment: send it back',
}

function toDeposit({ why, slot, seenAt, creditedAt, key: _key, ...row }: Row): View {
  return {
    ...row,
    amount: amountOf(row),
    why: why === null ? null : { code: why, sentence: WHY[why] ?? why },
    slot: Number(slot),
    seenAt: instant(seenAt),
    creditedAt: instantOrNull(creditedAt),
  }
}

function amountOf({ asset, amount }: Pick<Row, 'asset' | 'amount'>): string {
  if (asset === 'cotton') return toDecimal(BigInt(amount))
  return asset === 'sol' ? formatSol(BigInt(amount)) : amount
}
