import type { readDeposits } from '#contract/deposits.ts'
import type { ReplyOf } from '#contract/route.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import type { UnclaimedReason } from './record-unclaimed.ts'
import type { PendingReason } from './read-arrivals.ts'

const MAX_ITEMS = 100

const readRows = sql(
  'deposits-read-uncredited',
  `select signature, asset, mint, amount::text, state, why, seen_at as at from receipts
   where wallet = $1 and state in ('pending', 'unclaimed') order by seen_at desc, signature limit $2`,
)

/** What a receipt waits for, or why it is not credited, in a sentence for whoever sent it. */
export const REASON_TEXTS: Record<PendingReason | UnclaimedReason, string> = {
  second_node: 'Large deposits are checked twice. It is credited when the second check is through.',
  nodes_disagree: 'Our view of the chain is not clear yet. It is credited when it is.',
  sol: 'SOL cannot be credited. It stays at the address; please ask for help.',
  other_token: 'This is not $COTTON at your deposit account. It stays where it is; please ask for help.',
  before_yours: 'It arrived before this address was yours.',
  of_nobody: 'It arrived at an address that belongs to no player.',
  too_large: 'It is more than can be credited by itself. Please ask for help.',
}

type Item = ReplyOf<typeof readDeposits>['items'][number]

/** What reached a player's address and is not credited, newest first. */
export async function readUncredited(db: Db, wallet: string): Promise<Item[]> {
  type Row = Omit<Item, 'why' | 'at'> & { why: PendingReason | UnclaimedReason | null; at: Date }
  const rows = await db.rows<Row>(readRows, [wallet, MAX_ITEMS])
  return rows.map(({ why, at, ...row }) => ({ ...row, why: why && REASON_TEXTS[why], at: at.toISOString() }))
}
