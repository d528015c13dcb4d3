import { holdEntries } from '#game/credit.ts'
import { baseUnits } from '#game/cotton.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'

type Entry = { wallet: string; account: string; amount: bigint }

const readHold = sql({
  name: 'signer-read-hold',
  params: { holdId: 'uuid', wallet: 'text', id: 'text' },
  row: rowOf<Entry>(),
  text: ({ holdId, wallet, id }) => `select e.wallet, e.account::text, e.amount from journals j
   join entries e on e.journal_id = j.id and e.wallet = j.wallet
   where j.id = ${holdId} and j.wallet = ${wallet} and j.kind = 'withdrawal' and j.detail ->> 'withdrawalId' = ${id}`,
})

// The order of the ids proves nothing: whoever may write journals chooses the id of a hold, and clocks differ.
const readReleased = sql({
  name: 'signer-read-released',
  params: { wallet: 'text', id: 'text' },
  text: ({ wallet, id }) => `select from journals j
   where j.wallet = ${wallet} and j.kind in ('refund', 'cancellation', 'settlement')
     and j.detail ->> 'withdrawalId' = ${id} limit 1`,
})

/** True if the ledger shows that this withdrawal was paid or refunded, whatever its row says. */
export async function isReleased(db: Queryable, { id, wallet }: OpenWithdrawal): Promise<boolean> {
  return (await db.rows(readReleased, { wallet, id })).length > 0
}

/**
 * True if the ledger holds exactly the amount of this withdrawal, entry by entry. The signer trusts the ledger, not the
 * row of the withdrawal.
 */
export async function isHeld(db: Queryable, withdrawal: OpenWithdrawal): Promise<boolean> {
  const { id, wallet, holdId } = withdrawal
  const found = await db.rows(readHold, { holdId, wallet, id })
  const expected = holdEntries(wallet, withdrawal)
  const name = (entry: Entry): string => `${entry.wallet} ${entry.account} ${baseUnits(entry.amount)}`
  return found.map(name).toSorted().join() === expected.map(name).toSorted().join()
}
