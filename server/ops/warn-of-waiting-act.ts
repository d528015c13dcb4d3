import { type Act, describeNumber, numberedBy } from '#contract/console/acts.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import type { CommandContext } from './command.ts'

// The target is the one of `numberedBy`.
const readWaiting = sql({
  name: 'operator-read-waiting-act',
  params: { kind: 'text', target: 'text', number: 'integer', now: 'timestamptz' },
  row: rowOf<{ operator: string; at: Date }>(),
  text: ({ kind, target, number, now }) =>
    `select operator, at from operator_acts
     where state = 'waiting' and kind = ${kind} and number = ${number} and expires_at > ${now}
       and coalesce(details ->> 'wallet', details ->> 'continent', '') = ${target}
     order by at, nonce limit 1`,
})

/**
 * Warns before an act is signed with the number of one that waits for the signer: only one of the two is done. While the
 * signer is down, the operator would not see that the other is refused.
 */
export async function warnOfWaitingAct(
  { db, clock, acts, say, warn = say }: CommandContext,
  { act, number }: { act: Act; number: number | null },
): Promise<void> {
  const target = numberedBy(act)
  if (target === null || number === null) return
  const [waiting] = await db.rows(readWaiting, { kind: act.kind, target, number, now: clock.now() })
  if (!waiting) return
  const who = acts?.operators.byWallet.get(waiting.operator)?.name ?? waiting.operator
  warn(
    `WARNING: ${who} has signed ${describeNumber(act, number)} at ${waiting.at.toISOString()}, and it waits for the signer. If it is done, this one is refused: only one act has this number. To do both, wait until it is done.`,
  )
}
