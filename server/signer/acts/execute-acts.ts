import { type Act, type ActKind, isAct } from '#contract/console/acts.ts'
import { ChainUnavailable } from '#server/chain/port.ts'
import {
  explainWait,
  explainWaits,
  finishAct,
  lockWaitingAct,
  readWaitingActs,
  type StoredAct,
} from '#server/operators/operator-acts.ts'
import { lockOperators, writeOperatorLog } from '#server/operators/operator-log.ts'
import { verifyAct } from '#server/operators/verify-act.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { contextOf, type OperatorDeps } from '../review/check-decision.ts'
import type { StepDeps } from '../step-deps.ts'
import { type ChainReading, executeAct, NO_READING, readChainFor } from './execute-act.ts'
import { requireNextNumber } from './require-next-number.ts'

const AT_ONCE = 100

/** Acts on a withdrawal that a restored database may show as open although it was paid. */
const AFTER_RECONCILIATION: readonly ActKind[] = ['reject']

const UNRECONCILED = 'The ledger is not reconciled with the chain yet.'
const FAILED = 'It failed and is tried again. The log of the signer says why.'

/** An act that waits for deposits may do so for a day, and each attempt reads the whole history of the treasury. */
const ROUNDS_BETWEEN_TAKE_BACKS = 10

/** For how many rounds payouts are not taken back because such an act has to wait. */
export type TakeBackPause = { rounds: number }

type ExecuteActsDeps = StepDeps &
  OperatorDeps & {
    /** The wallets of cold storage. */
    coldWallets: readonly string[]
    takeBackPause: TakeBackPause
    reconciled: boolean
  }

/**
 * Executes the signed acts of operators, oldest first: each is verified, and done or refused once, in one transaction with
 * its outcome and its line in the operator log. What an act needs from the chain is read before that transaction, which
 * takes the operators' lock. An act waits while the chain is unavailable, and while the operators' file is missing or
 * broken. Rejections wait until the ledger is reconciled with the chain. After an act that takes payouts back and has to
 * wait, none of this kind is tried for some rounds, so that neither the other acts nor payouts wait for it. Why an act waits is
 * stored with it.
 */
export async function executeActs(deps: ExecuteActsDeps): Promise<void> {
  const { db, log, reconciled, takeBackPause: pause } = deps
  pause.rounds = Math.max(0, pause.rounds - 1)
  const paused: readonly ActKind[] = pause.rounds > 0 ? ['take-back'] : []
  const without = reconciled ? [] : AFTER_RECONCILIATION
  if (without.length > 0) await explainWaits(db, { kinds: without, why: UNRECONCILED })
  for (const waiting of await readWaitingActs(db, { limit: AT_ONCE, without: [...without, ...paused] })) {
    const { nonce, kind } = waiting
    const takesBack = kind === 'take-back'
    if (takesBack && pause.rounds > 0) continue
    try {
      await executeOne(deps, waiting)
    } catch (error) {
      // One act that fails must not keep the signer from its other work.
      const { message } = error instanceof Error ? error : new Error(String(error))
      if (takesBack && error instanceof ChainUnavailable) pause.rounds = ROUNDS_BETWEEN_TAKE_BACKS
      const waits = error instanceof ChainUnavailable || error instanceof OperatorsUnreadable
      if (waits) log.warn({ act: nonce, kind }, `an act waits: ${message}`)
      else log.error({ act: nonce, kind, err: error }, 'an act of an operator failed and is tried again')
      await explainWait(db, { nonce, why: waits ? message : FAILED })
    }
  }
}

/** Nothing is read for an act that is not valid, or anybody who stores acts could keep the signer busy. */
async function readFor(deps: ExecuteActsDeps, waiting: StoredAct): Promise<ChainReading> {
  const { db, chain, clock, log, coldWallets: cold } = deps
  const context = contextOf(deps)
  const now = clock.now()
  const { act } = await verifyAct(context, waiting, now)
  if (act === null) return NO_READING
  return readChainFor({ db, chain, clock, log, treasury: context.treasury, cold }, { kind: act.kind, now })
}

async function executeOne(deps: ExecuteActsDeps, waiting: StoredAct): Promise<void> {
  const { db, clock, log } = deps
  const { nonce } = waiting
  const reading = await readFor(deps, waiting)
  const context = contextOf(deps)
  const now = clock.now()
  try {
    await db.transaction(async (tx) => {
      await lockOperators(tx)
      const stored = await lockWaitingAct(tx, nonce)
      if (!stored) return
      const { act, operator, problem } = await verifyAct(context, stored, now)
      // Somebody may be editing the file. A refusal would be for good.
      if (problem !== null && problem === context.operators.problem) throw new OperatorsUnreadable(problem)
      if (problem !== null) throw new Refusal(stored, problem)
      try {
        await requireNextNumber(tx, { act, number: stored.number })
        const outcome = await executeAct(tx, { context, reading }, { act, operator, now })
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

/** The operators' file is missing or broken, so nobody can say who is an operator. */
class OperatorsUnreadable extends Error {}

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
