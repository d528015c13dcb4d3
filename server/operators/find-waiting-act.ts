import { type Act, describeNumber, numberedBy } from '#contract/console/acts.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { TARGET } from './operator-acts.ts'
import type { Operators } from './read-operators.ts'

// Of operators whom the file names: whoever has the console's login can store any text as an operator.
const readWaiting = sql({
  name: 'acts-read-waiting-number',
  params: { kind: 'text', target: 'text', number: 'integer', wallets: 'text[]', now: 'timestamptz' },
  row: rowOf<{ operator: string; at: Date }>(),
  text: ({ kind, target, number, wallets, now }) =>
    `select operator, at from operator_acts
     where state = 'waiting' and kind = ${kind} and number = ${number} and expires_at > ${now}
       and ${TARGET} = ${target} and operator = any(${wallets})
     order by at, nonce limit 1`,
})

type Numbered = { act: Act; number: number | null; operators: Operators; now: Date }

/**
 * A sentence about the act that waits for the signer with the number of this one; null if none does. Only one of the two is
 * done. While the signer is down, the operator would not see that the other is refused.
 */
export async function findWaitingAct(
  db: Queryable,
  { act, number, operators, now }: Numbered,
): Promise<string | null> {
  const target = numberedBy(act)
  if (target === null || number === null) return null
  const wallets = [...operators.byWallet.keys()]
  const [waiting] = await db.rows(readWaiting, { kind: act.kind, target, number, wallets, now })
  if (!waiting) return null
  const { name } = operators.byWallet.get(waiting.operator)!
  return `${name} has signed ${describeNumber(act, number)} at ${waiting.at.toISOString()}, and it waits for the signer. If it is done, this one is refused: only one act has this number. To do both, wait until it is done.`
}
