import { baseUnits } from '#game/cotton.ts'
import { sql } from '#server/platform/db/db.ts'
import { exactly } from './amounts.ts'
import type { Command, Desk } from './desk.ts'

const MOST = 200

const readReceipts = sql(
  'operator-list-receipts',
  `select r.signature, r.wallet, r.asset, r.mint, r.amount::text, r.why, r.seen_at as at, a.owner, a.index
   from receipts r left join deposit_addresses a on r.token_account in (a.token_account, a.owner) or a.wallet = r.wallet
   where r.state = 'unclaimed' or r.state = 'pending' and r.why is not null
   order by r.seen_at desc, r.signature limit $1`,
)

type Receipt = {
  signature: string
  wallet: string | null
  asset: 'cotton' | 'sol' | 'other_token'
  mint: string | null
  amount: string
  why: string
  at: Date
  owner: string | null
  index: number | null
}

/** What it is about, for the operator. */
const ABOUT: Record<string, string> = {
  second_node: 'waits: only one node shows it',
  nodes_disagree: 'waits: the nodes show different amounts',
  sol: 'SOL',
  other_token: 'another token, or $COTTON beside the derived account',
  before_yours: 'arrived before the address was this player’s',
  of_nobody: 'arrived at an address that is nobody’s',
  too_large: 'larger than any deposit that is credited by itself',
}

export const listReceipts: Command = {
  usage: '',
  does: 'lists receipts that are not credited: other tokens, SOL, unassigned addresses, and deposits that wait',
  words: 0,
  options: [],
  async run(desk) {
    const found = await desk.db.rows<Receipt>(readReceipts, [MOST + 1])
    for (const receipt of found.slice(0, MOST)) show(desk, receipt)
    if (found.length === 0) desk.say('Everything that arrived is credited.')
    if (found.length > MOST) desk.say(`There are more than these ${MOST}.`)
  },
}

function show(
  { say }: Desk,
  { signature, wallet, asset, mint, amount, why, at, owner, index }: Receipt,
): void {
  const units = BigInt(amount)
  const what =
    asset === 'cotton'
      ? `${exactly(baseUnits(units))} $COTTON`
      : asset === 'sol'
        ? `${units} lamports`
        : `${units} units of ${mint}`
  say(`${at.toISOString()}  ${what}: ${ABOUT[why] ?? why}`)
  say(
    `    of ${wallet ?? 'nobody'}, at ${owner ?? 'an unknown address'}${index === null ? '' : ` (index ${index})`}`,
  )
  say(`    transaction ${signature}`)
}
