import type { Signature } from '#server/chain/port.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import type { Arrival } from './read-arrivals.ts'

/** Which history is read: that of our token account, or that of its owner, which also shows unsupported deposits. */
export type Side = 'token_account' | 'owner'

const moveColumns = (name: string, prefix: 'cursor' | 'owner_cursor') =>
  sql({
    name,
    params: { owner: 'text', from: 'text | null', signature: 'text', slot: 'bigint' },
    text: ({ owner, from, signature, slot }) =>
      `update deposit_addresses set ${prefix}_signature = ${signature}, ${prefix}_slot = ${slot}
       where owner = ${owner} and ${prefix}_signature is not distinct from ${from}`,
  })

const move = {
  token_account: moveColumns('deposits-move-cursor', 'cursor'),
  owner: moveColumns('deposits-move-owner-cursor', 'owner_cursor'),
}

/** `from` is the cursor with which the scan began, or its last move. */
export type CursorMove = { side: Side; from: Signature | null; to: Pick<Arrival, 'signature' | 'slot'> }

/**
 * The next scan of this history begins after `to`, unless another scan has moved the cursor since `from` was read. Slots do not
 * decide: a node that invents one would hold the cursor there for ever.
 */
export async function moveCursor(
  tx: Tx,
  { owner, side, from, to: { signature, slot } }: CursorMove & { owner: string },
): Promise<void> {
  await tx.rows(move[side], { owner, from, signature, slot })
}
