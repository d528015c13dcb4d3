import type { readDeposits } from '#contract/deposits.ts'
import type { ReplyOf } from '#contract/route.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import type { UnclaimedReason } from './record-unclaimed.ts'
import type { PendingReason } from './read-arrivals.ts'

const LIST_LENGTH = 100

// The receipts after one of the player's own. After an unknown receipt there are none.
const readRows = sql({
  name: 'deposits-read-uncredited',
  params: {
    wallet: 'text',
    limit: 'integer',
    signature: 'text | null',
    tokenAccount: 'text | null',
    asset: 'text | null',
  },
  row: rowOf<
    Omit<Item, 'why' | 'at'> & {
      tokenAccount: string
      why: PendingReason | UnclaimedReason | null
      at: Date
    }
  >(),
  text: ({ wallet, limit, signature, tokenAccount, asset }) =>
    `select signature, token_account as "tokenAccount", asset, mint, amount::text, state, why, seen_at as at
     from receipts
     where wallet = ${wallet} and state in ('pending', 'unclaimed') and (seen_at, signature, token_account, asset) < (
       case when ${signature} is null then 'infinity'
         else coalesce((
           select b.seen_at from receipts b
           where b.wallet = ${wallet} and b.signature = ${signature} and b.token_account = ${tokenAccount} and b.asset = ${asset}
         ), '-infinity') end,
       coalesce(${signature}, ''), coalesce(${tokenAccount}, ''), coalesce(${asset}, ''))
     order by seen_at desc, signature desc, token_account desc, asset desc limit ${limit}`,
})

/** Why a receipt is pending or not credited, in a sentence for the player. */
const REASON_TEXTS: Record<PendingReason | UnclaimedReason, string> = {
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
  const [signature = null, tokenAccount = null, asset = null] = before?.split('.') ?? []
  const rows = await db.rows(readRows, { wallet, limit: LIST_LENGTH, signature, tokenAccount, asset })
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
