import type { Log } from '#server/platform/log.ts'
import { TermLostError } from '#server/platform/role-term.ts'
import { isUnavailable } from '#server/platform/unavailable-error.ts'

/** Some withdrawals failed, and were logged. All others were handled. */
export class WithdrawalsFailed extends Error {
  override readonly name = 'WithdrawalsFailed'
  readonly ids: readonly string[]
  constructor(ids: Iterable<string>) {
    super('some withdrawals failed; the others were handled')
    this.ids = [...ids]
  }
}

/** Keeps withdrawals apart, so that one that somebody has damaged in the database does not stop the payouts of all players. */
export type FailedWithdrawals = {
  /**
   * Works on one withdrawal. A failure is logged and does not stop the step, except for those that all others would meet
   * as well: database or chain are unavailable, or another signer has taken over.
   */
  isolate(id: string, work: () => Promise<unknown>): Promise<void>
  /** Waits for a step of a round. Withdrawals that failed in it do not stop the next steps. */
  collect(step: Promise<void>): Promise<void>
  /** Throws a `WithdrawalsFailed` if any failed. */
  end(): void
}

export function trackFailedWithdrawals({ log }: { log: Log }): FailedWithdrawals {
  const failed = new Set<string>()
  return {
    async isolate(id, work) {
      try {
        await work()
      } catch (error) {
        if (isUnavailable(error) || error instanceof TermLostError) throw error
        failed.add(id)
        log.error({ withdrawal: id, err: error }, 'a withdrawal failed and is tried again')
      }
    },
    async collect(step) {
      try {
        await step
      } catch (error) {
        if (!(error instanceof WithdrawalsFailed)) throw error
        for (const id of error.ids) failed.add(id)
      }
    },
    end() {
      if (failed.size > 0) throw new WithdrawalsFailed(failed)
    },
  }
}
