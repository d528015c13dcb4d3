import { sql, type Tx } from '#server/platform/db/db.ts'
import type { Arrival } from './read-arrivals.ts'

/** Which history is read: that of our token account, or that of its owner, which also shows unsupported deposits. */
export type Side = 'token_account' | 'owner'

const moveColumns = (name: string, prefix: 'cursor' | 'owner_cursor') =>
  sql({
    name,
    params: { owner: 'text', signature: 'text', slot: 'bigint' },
    text: ({ owner, signature, slot }) =>
      `update deposit_addresses set ${prefix}_signature = ${signature}, ${prefix}_slot = ${slot}
       where owner = ${owner} and ${prefix}_slot <= ${slot}`,
  })

const move = {
  token_account: moveColumns('deposits-move-cursor', 'cursor'),
  owner: moveColumns('deposits-move-owner-cursor', 'owner_cursor'),
}

/** The next scan of this history begins after `to`. A cursor never moves back. */
export async function moveCursor(
  tx: Tx,
  { owner, side, to: { signature, slot } }: { owner: string; side: Side; to: Arrival },
): Promise<void> {
  await tx.rows(move[side], { owner, signature, slot })
}
