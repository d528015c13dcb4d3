import { type Act, type ActKind, isAct } from '#contract/console/acts.ts'
import { ChainUnavailable } from '#server/chain/port.ts'
import {
  finishAct,
  lockWaitingAct,
  readWaitingActs,
  type StoredAct,
} from '#server/operators/operator-acts.ts'
import { lockOperators, writeOperatorLog } from '#server/operators/operator-log.ts'
import { verifyAct } from '#server/operators/verify-act.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { contextOf, type OperatorDeps } from '../review/check-decision.ts'
import type { StepDeps } from '../step-deps.ts'
import { executeAct, type ExecuteDeps } from './execute-act.ts'

const AT_ONCE = 100

/** The acts of which a withdrawal may be the subject that a restored database shows as open though it was paid. */
const AFTER_RECONCILIATION: readonly ActKind[] = ['reject']

/** The acts that read the chain in their transaction: up to the treasury's whole history, without a statement in between. */
const READS_CHAIN: ReadonlySet<string> = new Set(['fund', 'take-back', 'acknowledge'])

// Postgres ends other transactions of the signer when they are idle for five seconds.
const allowLongReads = sql({
  name: 'acts-allow-long-reads',
  text: `select set_config('idle_in_transaction_session_timeout', '10min', true)`,
})

type ExecuteActsDeps = StepDeps & OperatorDeps & Pick<ExecuteDeps, 'coldWallets'> & { reconciled: boolean }

/**
 * Executes the signed acts of operators, oldest first: each is verified, and done or refused once, in one transaction with
 * its outcome and its line in the operator log. An act that needs the chain waits while the chain is unavailable.
 * Rejections wait until the ledger is reconciled with the chain.
 */
export async function executeActs(deps: ExecuteActsDeps): Promise<void> {
  const { db, log, reconciled } = deps
  const without = reconciled ? [] : AFTER_RECONCILIATION
  for (const { nonce, kind } of await readWaitingActs(db, { limit: AT_ONCE, without })) {
    try {
      await executeOne(deps, nonce)
    } catch (error) {
      // One act that fails must not keep the signer from its other work.
      const { message } = error instanceof Error ? error : new Error(String(error))
      if (error instanceof ChainUnavailable) log.warn({ act: nonce, kind }, `an act waits: ${message}`)
      else log.error({ act: nonce, kind, err: error }, 'an act of an operator failed and is tried again')
    }
  }
}

async function executeOne(deps: ExecuteActsDeps, nonce: string): Promise<void> {
  const { db, clock, log } = deps
  const context = contextOf(deps)
  const now = clock.now()
  try {
    await db.transaction(async (tx) => {
      await lockOperators(tx)
      const stored = await lockWaitingAct(tx, nonce)
      if (!stored) return
      const { act, operator, problem } = await verifyAct(context, stored, now)
      if (problem !== null) throw new Refusal(stored, problem)
      try {
        if (READS_CHAIN.has(act.kind)) await tx.rows(allowLongReads)
        const outcome = await executeAct(tx, { ...deps, context }, { act, operator, now })
        await record(tx, { stored, who: operator.name, state: 'done', outcome, now })
        log.info({ act: nonce, kind: act.kind, operator: operator.name }, 'an operator acted')
      } catch (error) {
        throw error instanceof StartupError ? new Refusal(stored, error.message, operator.name) : error
      }
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { stored, who, message } = error
    log.warn({ act: nonce, kind: stored.kind, operator: who }, `an act was refused: ${message}`)
    await db.transaction((tx) => record(tx, { stored, who, state: 'refused', outcome: message, now }))
  }
}

/** Rolls back what the act has done. */
class Refusal extends Error {
  readonly stored: StoredAct
  readonly who: string
  constructor(stored: StoredAct, message: string, who = stored.operator) {
    super(message)
    this.stored = stored
    this.who = who
  }
}

type Decided = { stored: StoredAct; who: string; state: 'done' | 'refused'; outcome: string; now: Date }

async function record(tx: Tx, { stored, who, state, outcome, now }: Decided): Promise<void> {
  const { nonce, kind, details } = stored
  await finishAct(tx, { nonce, state, outcome, now })
  const named = isAct(details) ? argumentsOf(details) : {}
  const reason = isAct(details) && 'reason' in details ? details.reason : null
  const said = state === 'done' ? outcome : `Refused: ${outcome}`
  await writeOperatorLog(tx, { who, now, command: kind, arguments: named, reason, outcome: said })
}

/** The fields of an act without kind and reason, which the log shows by themselves. */
const argumentsOf = (act: Act): Record<string, string> =>
  Object.fromEntries(Object.entries(act).filter(([name]) => name !== 'kind' && name !== 'reason'))
