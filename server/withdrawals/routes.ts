import * as lock from '#contract/withdrawal-lock.ts'
import * as contract from '#contract/withdrawals.ts'
import { type Cotton, cotton, fromWire, LARGEST_REQUEST, formatCotton, formatCount } from '#game/cotton.ts'
import { totalOf } from '#game/credit.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import { refuse, replyOf } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { repeatUntilKnown } from '#server/platform/db/repeat-until-known.ts'
import { type CallKey, ok, type Serve } from '#server/platform/http/serve.ts'
import type { Log } from '#server/platform/log.ts'
import type { Site } from '#server/platform/site.ts'
import { cancelWithdrawals } from './cancel-withdrawal.ts'
import { challengeWithdrawal } from './challenge-withdrawal.ts'
import { nextCursor, readWithdrawable, readWithdrawals } from './read-withdrawals.ts'
import { requestWithdrawals } from './request-withdrawal.ts'
import { readLock, setLocks, toLockView } from './withdrawal-lock.ts'
import { verifySignedMessage } from './verify-signed-message.ts'

export type WithdrawalDeps = {
  db: Db
  clock: Clock
  site: Site
  log: Log
  /** How many withdrawals of a wallet may be open. */
  maxOpen?: number
}

// A session that was just ended, by whatever process, takes nothing out. The transactions lock the player's accounts and are
// not batched.
const CHANGES = { fresh: true, inTurn: true }

/** Serves the routes of withdrawals: challenge, signed request and reads. */
export function withdrawalRoutes(serve: Serve, deps: WithdrawalDeps): void {
  const { db, clock, maxOpen } = deps
  // Without a key, a repetition could not find what it did before.
  const transact = <T>(key: CallKey, work: (tx: Tx) => Promise<T>): Promise<T> =>
    key ? repeatUntilKnown(() => db.transaction(work)) : db.transaction(work)

  serve(
    contract.challengeWithdrawal,
    async ({ player, body }) => {
      const { wallet } = player
      const amount = await amountOf(deps, { wallet, ...body })
      return ok(await challengeWithdrawal(deps, { wallet, amount, form: body.form }))
    },
    CHANGES,
  )

  serve(
    contract.requestWithdrawal,
    async ({ player, body, key, requestId, traceparent }) => {
      const { wallet } = player
      const amount = await amountOf(deps, { wallet, ...body })
      const proof = await verifySignedMessage(deps.site, { ...body, wallet, amount })
      const request = { wallet, amount, ...proof, key, traceparent }
      const [answer] = await transact(key, (tx) => requestWithdrawals(tx, [request], clock, maxOpen))
      const reply = replyOf(answer!)
      deps.log.info({ requestId, withdrawal: reply.withdrawal.id }, 'a withdrawal was requested')
      return reply
    },
    CHANGES,
  )

  serve(
    contract.cancelWithdrawal,
    async ({ player: { wallet }, body: { withdrawalId }, key }) => {
      const [answer] = await transact(key, (tx) =>
        cancelWithdrawals(tx, [{ wallet, withdrawalId, key }], clock),
      )
      return replyOf(answer!)
    },
    CHANGES,
  )

  serve(lock.readWithdrawalLock, async ({ player }) =>
    ok({ lock: toLockView(await readLock(db, player.wallet, clock.now())) }),
  )

  serve(
    lock.setWithdrawalLock,
    async ({ player: { wallet }, body: { hours }, key }) => {
      const [answer] = await transact(key, (tx) => setLocks(tx, [{ wallet, hours, key }], clock))
      return replyOf(answer!)
    },
    CHANGES,
  )

  serve(contract.readWithdrawals, async ({ player, query }) => {
    const withdrawals = await readWithdrawals(db, player.wallet, query.before)
    return ok({ withdrawals, next: nextCursor(withdrawals) })
  })

  serve(contract.readWithdrawable, ({ player }) => readWithdrawable(deps, player.wallet))
}

/** The amount in base units. Refuses an amount above the limit of any request with what the wallet can withdraw. */
async function amountOf(
  deps: WithdrawalDeps,
  { wallet, amount }: { wallet: string; amount: number },
): Promise<Cotton> {
  const units = fromWire(amount)
  if (units !== null) return units
  const balance = totalOf(await readBalance(deps.db, wallet))
  if (balance >= cotton(LARGEST_REQUEST)) {
    refuse('malformed', { field: 'amount', problem: `must be at most ${formatCount(LARGEST_REQUEST)}` })
  }
  const { withdrawable } = await readWithdrawable(deps, wallet)
  refuse('above_balance', { balance: formatCotton(balance), available: formatCount(withdrawable) })
}
