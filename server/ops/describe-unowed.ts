import { formatExact } from '#game/cotton.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { UNOWED_SETTING } from '#server/signer/acts/restored-payouts.ts'

// The signer reports such a payout. Once it is taken back from the balance, only the debt is left.
const sumUnowed = sql({
  name: 'operator-sum-unowed',
  params: { reported: 'text' },
  row: rowOf<{ count: number; amount: bigint }>(),
  text: ({ reported }) =>
    `select count(*)::int as count, coalesce(sum(unsettled), 0)::bigint as amount from (
       select amount - deposited - earned - borne as unsettled from restored_payouts
       where acknowledged_by is null and amount > deposited + earned + borne
       union all
       select (s.value ->> 'amount')::bigint from settings s
       where s.name like ${reported} || '%' and jsonb_typeof(s.value) = 'object'
         and not exists (select from restored_payouts r where r.signature = substr(s.name, length(${reported}) + 1))
     ) as payouts`,
})

/** Payouts on the chain that the books do not owe and nobody has settled, for the operator; null without any. */
export async function describeUnowed(db: Queryable): Promise<string | null> {
  const [unowed] = await db.rows(sumUnowed, { reported: UNOWED_SETTING })
  const { count, amount } = unowed!
  return count === 0 ? null : `${count} of ${formatExact(amount)} $COTTON: see "npm run ops -- restored"`
}
