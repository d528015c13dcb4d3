import { type Act, describeNumber, numberedBy } from '#contract/console/acts.ts'
import { readLastNumber } from '#server/operators/operator-acts.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'

/**
 * Refuses an act that would have the same effect again, unless it was signed as the next one of its target: of several that
 * were signed because one seemed lost, one is done. The caller has the operators' lock. Throws a `StartupError` that says what
 * was done meanwhile.
 */
export async function requireNextNumber(
  tx: Tx,
  { act, number }: { act: Act; number: number | null },
): Promise<void> {
  if (numberedBy(act) === null) return
  if (number === null)
    throw new StartupError(
      'It does not say which adjustment, funding or change it is. Acts of earlier versions did not: sign it again.',
    )
  const last = await readLastNumber(tx, act)
  const next = (last?.number ?? 0) + 1
  if (number === next) return
  const since = last ? ` The last one was done at ${last.doneAt.toISOString()}.` : ''
  throw new StartupError(
    `It was signed as ${describeNumber(act, number)}, and the next one is ${next}.${since} Read the log, and sign it again if it is still to be done.`,
  )
}
