import { type Act, describeNumber, numberedBy } from '#contract/console/acts.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import type { Operators } from './read-operators.ts'

// The target is the one of `numberedBy`.
const readWaiting = sql({
  name: 'acts-read-waiting-number',
  params: { kind: 'text', target: 'text', number: 'integer', now: 'timestamptz' },
  row: rowOf<{ operator: string; at: Date }>(),
  text: ({ kind, target, number, now }) =>
    `select operator, at from operator_acts
     where state = 'waiting' and kind = ${kind} and number = ${number} and expires_at > ${now}
       and coalesce(details ->> 'wallet', details ->> 'continent', '') = ${target}
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
  const [waiting] = await db.rows(readWaiting, { kind: act.kind, target, number, now })
  if (!waiting) return null
  const who = operators.byWallet.get(waiting.operator)?.name ?? waiting.operator
  return `${who} has signed ${describeNumber(act, number)} at ${waiting.at.toISOString()}, and it waits for the signer. If it is done, this one is refused: only one act has this number. To do both, wait until it is done.`
}
