import { type Act, isAct, toUnits } from '#contract/console/acts.ts'
import { type Cotton, formatExact } from '#game/cotton.ts'
import type { Operator } from '#server/operators/read-operators.ts'
import { rowOf, sql, type Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'

const DAY_MS = 24 * 60 * 60_000

const readAdjustments = sql({
  name: 'limit-read-adjustments',
  params: { operator: 'text', dayAgo: 'timestamptz', dayAhead: 'timestamptz' },
  row: rowOf<{ details: unknown }>(),
  text: ({ operator, dayAgo, dayAhead }) => `select details from operator_acts
   where operator = ${operator} and kind = 'adjust' and state = 'done' and done_at > ${dayAgo} and done_at < ${dayAhead}`,
})

/**
 * Refuses an adjustment with which one operator would add more than `limit` base units to the balances of players within 24
 * hours. What the operator removed from balances meanwhile does not make room. Throws a `StartupError` that says who can do
 * it, or when.
 */
export async function limitCredit(
  tx: Tx,
  of: { operator: Operator; amount: Cotton; limit: Cotton; now: Date },
): Promise<void> {
  const { operator, amount, limit, now } = of
  if (amount <= 0n) return
  const dayAgo = new Date(now.getTime() - DAY_MS)
  // What was done further ahead was done by a clock that was set back since.
  const dayAhead = new Date(now.getTime() + DAY_MS)
  const before = await tx.rows(readAdjustments, { operator: operator.wallet, dayAgo, dayAhead })
  const added = before.reduce((sum, { details }) => sum + (isAct(details) ? addedBy(details) : 0n), 0n)
  if (added + amount <= limit) return
  throw new StartupError(
    `${operator.name} has added ${formatExact(added)} $COTTON to balances within 24 hours, and one operator may add ${formatExact(limit)} in that time ("creditPerDay" of the operators' file). Another operator can do it now.`,
  )
}

function addedBy(act: Act): bigint {
  const amount = act.kind === 'adjust' ? toUnits(act.amount) : 0n
  return amount > 0n ? amount : 0n
}
