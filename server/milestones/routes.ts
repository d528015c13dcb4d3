import type { ReplyOf } from '#contract/route.ts'
import * as milestones from '#contract/milestones.ts'
import { toWire } from '#game/cotton.ts'
import { serveAction } from '#server/actions/serve-action.ts'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import { celebrate } from './celebrate.ts'
import { readFacts } from './read-facts.ts'

const readGranted = sql({
  name: 'milestones-granted',
  params: { wallet: 'text' },
  row: rowOf<{ code: string; granted_at: Date }>(),
  text: ({ wallet }) =>
    `select code, granted_at from milestones where wallet = ${wallet} order by granted_at, code`,
})

/** A player's milestones, and the call that grants what is reached. */
export function milestoneRoutes(serve: Serve, { db, clock }: { db: Db; clock: Clock }): void {
  const submitCelebration = submitInBatches({ db, clock }, celebrate)

  serve(milestones.readMilestones, ({ player }) => readMilestones(db, player.wallet))

  serveAction(serve, milestones.celebrateMilestones, {
    toRequest: (_call, caller) => caller,
    submit: submitCelebration,
    publish: async () => undefined,
  })
}

function readMilestones(db: Db, wallet: string): Promise<ReplyOf<typeof milestones.readMilestones>> {
  return db.transaction(async (tx) => {
    const [facts, granted] = await Promise.all([readFacts(tx, [wallet]), tx.rows(readGranted, { wallet })])
    const { harvested, ...rest } = facts.get(wallet)!
    return {
      success: true,
      facts: { ...rest, parcelIds: [...rest.parcelIds], harvested: toWire(harvested) },
      granted: granted.map((row) => ({ code: row.code, grantedAt: row.granted_at.toISOString() })),
    }
  })
}
