import { sql, type Tx } from '#server/platform/db/db.ts'
import type { Arrival } from './read-arrivals.ts'

/** Which history is read: that of our token account, or that of its owner, which also shows unsupported deposits. */
export type Side = 'token_account' | 'owner'

const move = {
  token_account: sql({
    name: 'deposits-move-cursor',
    params: { owner: 'text', signature: 'text', slot: 'bigint' },
    text: ({ owner, signature, slot }) =>
      `update deposit_addresses set cursor_signature = ${signature}, cursor_slot = ${slot}
       where owner = ${owner} and cursor_slot <= ${slot}`,
  }),
  owner: sql({
    name: 'deposits-move-owner-cursor',
    params: { owner: 'text', signature: 'text', slot: 'bigint' },
    text: ({ owner, signature, slot }) =>
      `update deposit_addresses set owner_cursor_signature = ${signature}, owner_cursor_slot = ${slot}
       where owner = ${owner} and owner_cursor_slot <= ${slot}`,
  }),
}

/** The next scan of this history begins after `to`. A cursor never moves back. */
export async function moveCursor(
  tx: Tx,
  { owner, side, to: { signature, slot } }: { owner: string; side: Side; to: Arrival },
): Promise<void> {
  await tx.rows(move[side], { owner, signature, slot })
}
