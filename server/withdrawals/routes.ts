import * as contract from '#contract/withdrawals.ts'
import { type Cotton, fromWire } from '#game/cotton.ts'
import { replyOf } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { ok, type Serve } from '#server/platform/http/serve.ts'
import type { Site } from '#server/platform/site.ts'
import { challengeWithdrawal } from './challenge-withdrawal.ts'
import { nextAfter, readWithdrawable, readWithdrawals } from './read-withdrawals.ts'
import { requestWithdrawals } from './request-withdrawal.ts'
import { requireSigned } from './require-signed.ts'

export type WithdrawalDeps = { db: Db; clock: Clock; site: Site }

/** The way out: a challenge, the signed request, and what a player can see of both. */
export function withdrawalRoutes(serve: Serve, deps: WithdrawalDeps): void {
  const { db, clock } = deps

  serve(contract.challengeWithdrawal, async ({ player, body }) =>
    ok({ message: await challengeWithdrawal(deps, { wallet: player.wallet, amount: amountOf(body) }) }),
  )

  serve(contract.requestWithdrawal, async ({ player, body, key }) => {
    const { wallet } = player
    const signed = { wallet, amount: amountOf(body), message: body.message, signature: body.signature }
    const proof = await requireSigned(deps.site, signed)
    const asked = { wallet, amount: signed.amount, ...proof, key }
    const [answer] = await db.transaction((tx) => requestWithdrawals(tx, [asked], clock))
    return replyOf(answer!)
  })

  serve(contract.readWithdrawals, async ({ player, query }) => {
    const withdrawals = await readWithdrawals(db, player.wallet, query.before)
    return ok({ withdrawals, next: nextAfter(withdrawals) })
  })

  serve(contract.readWithdrawable, ({ player }) => readWithdrawable(deps, player.wallet))
}

function amountOf(body: { amount: number }): Cotton {
  const amount = fromWire(body.amount)
  assert(amount, 'the contract lets no other amount in')
  return amount
}
