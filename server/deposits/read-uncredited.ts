import type { readDeposits } from '#contract/deposits.ts'
import type { ReplyOf } from '#contract/route.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import type { UnclaimedReason } from './record-unclaimed.ts'
import type { PendingReason } from './read-arrivals.ts'

const LIST_LENGTH = 100

// The receipts after one of the player's own. After an unknown receipt there are none.
const readRows = sql(
  'deposits-read-uncredited',
  `select signature, token_account as "tokenAccount", asset, mint, amount::text, state, why, seen_at as at
   from receipts
   where wallet = $1 and state in ('pending', 'unclaimed') and (seen_at, signature, token_account, asset) < (
     case when $3::text is null then 'infinity'
       else coalesce((
         select b.seen_at from receipts b
         where b.wallet = $1 and b.signature = $3 and b.token_account = $4 and b.asset = $5
       ), '-infinity') end,
     coalesce($3, ''), coalesce($4, ''), coalesce($5, ''))
   order by seen_at desc, signature desc, token_account desc, asset desc limit $2`,
)

/** Why a receipt is pending or not credited, in a sentence for the player. */
export const REASON_TEXTS: Record<PendingReason | UnclaimedReason, string> = {
  second_node: 'Large deposits are checked twice. It is credited when the second check is through.',
  nodes_disagree: 'The nodes report different amounts. It is credited when they agree.',
  sol: 'SOL cannot be credited. It stays at the address; please ask for help.',
  other_token: 'This is not $COTTON at your deposit account. It stays where it is; please ask for help.',
  before_yours: 'It arrived before this address was yours.',
  of_nobody: 'It arrived at an address that belongs to no player.',
  too_large: 'It is more than can be credited by itself. Please ask for help.',
}

type Page = Pick<ReplyOf<typeof readDeposits>, 'items' | 'next'>
type Item = Page['items'][number]

/** A page of a player's receipts that are not credited, newest first: the newest, or those after `before`. */
export async function readUncredited(db: Db, wallet: string, before?: string): Promise<Page> {
  type Row = Omit<Item, 'why' | 'at'> & {
    tokenAccount: string
    why: PendingReason | UnclaimedReason | null
    at: Date
  }
  const [signature, tokenAccount, asset] = before?.split('.') ?? []
  const rows = await db.rows<Row>(readRows, [wallet, LIST_LENGTH, signature, tokenAccount, asset])
  const last = rows.length === LIST_LENGTH ? rows.at(-1)! : null
  return {
    items: rows.map(({ signature, asset, mint, amount, state, why, at }) => ({
      signature,
      asset,
      mint,
      amount,
      state,
      why: why && REASON_TEXTS[why],
      at: at.toISOString(),
    })),
    next: last && `${last.signature}.${last.tokenAccount}.${last.asset}`,
  }
}
