import { baseUnits, formatExact } from '#game/cotton.ts'
import type { PendingReason } from '#server/deposits/read-arrivals.ts'
import type { UnclaimedReason } from '#server/deposits/record-unclaimed.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import type { Command, CommandContext } from './command.ts'

const MAX_SHOWN = 200

// Whoever has the login of the api or the watcher can store a mint of any length.
//
// Each receipt names the account of an address, the address itself, or another account of a player's address. Postgres uses no
// index for one of the three, so each is a search of its own.
const readReceipts = sql({
  name: 'operator-list-receipts',
  params: { limit: 'integer' },
  row: rowOf<Receipt>(),
  text: ({ limit }) =>
    `select r.signature, r.wallet, r.asset, left(r.mint, 44) as mint, r.amount::text, r.why, r.seen_at as at,
       a.owner, a.index
     from (
       select * from receipts where state in ('pending', 'unclaimed') and why is not null
       order by seen_at desc, signature limit ${limit}
     ) r left join lateral (
       select owner, index from deposit_addresses where token_account = r.token_account
       union
       select owner, index from deposit_addresses where owner = r.token_account
       union
       select owner, index from deposit_addresses where wallet = r.wallet
     ) a on true
     order by r.seen_at desc, r.signature`,
})

type Receipt = {
  signature: string
  wallet: string | null
  asset: 'cotton' | 'sol' | 'other_token'
  mint: string | null
  amount: string
  why: PendingReason | UnclaimedReason
  at: Date
  owner: string | null
  index: number | null
}

/** Why a receipt is not credited, for the operator. */
const REASON_TEXTS: Readonly<Record<Receipt['why'], string>> = {
  second_node: 'pending: only one node reports it',
  nodes_disagree: 'pending: the nodes report different amounts',
  sol: 'SOL',
  other_token: 'another token, or $COTTON outside the associated token account',
  before_yours: 'arrived before the address was assigned to this player',
  of_nobody: 'arrived at an address that is not assigned to a player',
  too_large: 'above the limit for automatic credit',
}

export const listReceipts: Command = {
  usage: '',
  description:
    'lists receipts that are not credited: other tokens, SOL, unassigned addresses, and deposits that wait',
  positionals: 0,
  options: [],
  async run(context) {
    const found = await context.db.rows(readReceipts, { limit: MAX_SHOWN + 1 })
    for (const receipt of found.slice(0, MAX_SHOWN)) show(context, receipt)
    if (found.length === 0) context.say('No receipt needs attention.')
    if (found.length > MAX_SHOWN) context.say(`Only the newest ${MAX_SHOWN} are shown.`)
  },
}

function show(
  { say }: CommandContext,
  { signature, wallet, asset, mint, amount, why, at, owner, index }: Receipt,
): void {
  const units = BigInt(amount)
  const what =
    asset === 'cotton'
      ? `${formatExact(baseUnits(units))} $COTTON`
      : asset === 'sol'
        ? `${units} lamports`
        : `${units} units of ${mint}`
  say(`${at.toISOString()}  ${what}: ${REASON_TEXTS[why]}`)
  say(
    `    of ${wallet ?? 'no player'}, at ${owner ?? 'an unknown address'}${index === null ? '' : ` (index ${index})`}`,
  )
  say(`    transaction ${signature}`)
}
