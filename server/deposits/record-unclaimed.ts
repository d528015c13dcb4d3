import type { Address } from '#server/chain/port.ts'
import { rowset, sql, type Tx } from '#server/platform/db/db.ts'
import type { Arrival } from './read-arrivals.ts'

/** Why a receipt was not credited. */
export type UnclaimedReason = 'sol' | 'other_token' | 'before_yours' | 'of_nobody' | 'too_large'

/** A receipt that is not credited. `amount` is in base units of the mint, or in lamports. */
export type Unclaimed = {
  signature: string
  slot: bigint
  account: Address
  asset: 'cotton' | 'sol' | 'other_token'
  mint: Address | null
  amount: bigint
  why: UnclaimedReason
}

const insertUnclaimed = sql({
  name: 'deposits-insert-unclaimed',
  params: {
    wallet: 'text | null',
    now: 'timestamptz',
    unclaimed: rowset({
      signature: 'text',
      account: 'text',
      asset: 'text',
      mint: 'text | null',
      amount: 'numeric',
      slot: 'bigint',
      why: 'text',
    }),
  },
  text: ({ wallet, now, unclaimed }) =>
    `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, why, seen_at)
     select signature, account, ${wallet}, asset, mint, amount, slot, 'unclaimed', why, ${now}
     from ${unclaimed}
     on conflict (signature, token_account, asset) do update
       set state = 'unclaimed', why = excluded.why, amount = excluded.amount, slot = excluded.slot
       where receipts.state in ('pending', 'dropped')`,
})

/** The tokens of other kinds and the SOL that these transactions brought to an owner. */
export function findUnsupported(of: { owner: Address }, arrivals: readonly Arrival[]): Unclaimed[] {
  return arrivals.flatMap(({ signature, slot, receipt }) => {
    if (!receipt) return []
    const tokens = receipt.unsupported.map(({ account, mint, amount }): Unclaimed => {
      return { signature, slot, account, mint, amount, asset: 'other_token', why: 'other_token' }
    })
    if (receipt.lamports <= 0n) return tokens
    const sol = { account: of.owner, mint: null, amount: receipt.lamports, asset: 'sol', why: 'sol' } as const
    return [...tokens, { signature, slot, ...sol }]
  })
}

/** Records receipts that are not credited, for the operator. `wallet` is null if the address belongs to no player. */
export async function recordUnclaimed(
  tx: Tx,
  { wallet, now, unclaimed }: { wallet: string | null; now: Date; unclaimed: readonly Unclaimed[] },
): Promise<void> {
  if (unclaimed.length === 0) return
  await tx.rows(insertUnclaimed, { wallet, now, unclaimed })
}
