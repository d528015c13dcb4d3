import { holdEntries } from '#game/credit.ts'
import { baseUnits } from '#game/cotton.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'

const readHold = sql(
  'signer-read-hold',
  `select e.wallet, e.account::text, e.amount from journals j
   join entries e on e.journal_id = j.id and e.wallet = j.wallet
   where j.id = $1 and j.wallet = $2 and j.kind = 'withdrawal' and j.detail ->> 'withdrawalId' = $3`,
)

/**
 * True where the ledger holds exactly the tokens of this withdrawal, entry by entry. The signer believes the ledger,
 * not the row that asks to be paid.
 */
export async function isHeld(tx: Queryable, withdrawal: OpenWithdrawal): Promise<boolean> {
  const { id, wallet, holdId } = withdrawal
  type Entry = { wallet: string; account: string; amount: bigint }
  const found = await tx.rows<Entry>(readHold, [holdId, wallet, id])
  const expected = holdEntries(wallet, withdrawal)
  const name = (entry: Entry): string => `${entry.wallet} ${entry.account} ${baseUnits(entry.amount)}`
  return found.map(name).toSorted().join() === expected.map(name).toSorted().join()
}
