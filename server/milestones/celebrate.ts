import type { celebrateMilestones } from '#contract/milestones.ts'
import { type MilestoneFacts, MILESTONES, reachedMilestones } from '#game/milestones.ts'
import { type ActionRequest, runOnceIfFrozen } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type AnswerOf, granted } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'
import { readFacts } from './read-facts.ts'

type GrantedRow = { wallet: string; code: string }

// The primary key decides who grants a milestone. Only the call that inserts the row celebrates it.
const grantReached = sql({
  name: 'milestones-grant',
  params: { reached: rowset({ wallet: 'text', code: 'text' }), now: 'timestamptz' },
  row: rowOf<GrantedRow>(),
  text: ({ reached, now }) =>
    `insert into milestones (wallet, code, granted_at) select wallet, code, ${now} from ${reached}
     on conflict do nothing returning wallet, code`,
})

/**
 * Grants what players have reached: many requests in, one answer each. Of all calls for a milestone exactly one answers
 * its code, and a repeated key gets the same answer again.
 */
export async function celebrate(
  tx: Tx,
  requests: readonly ActionRequest[],
  clock: Clock,
): Promise<AnswerOf<typeof celebrateMilestones>[]> {
  const wallets = [...new Set(requests.map(({ wallet }) => wallet))].toSorted()
  const act = async (
    _ledger: Ledger,
    fresh: readonly ActionRequest[],
    now: Date,
    facts: ReadonlyMap<string, MilestoneFacts>,
  ) => {
    const players = wallets.filter((wallet) => fresh.some((request) => request.wallet === wallet))
    const reached = players.flatMap((wallet) =>
      reachedMilestones(facts.get(wallet)!).map(({ code }) => ({ wallet, code })),
    )
    const inserted = reached.length > 0 ? await tx.rows(grantReached, { reached, now }) : []
    const codesOf = Map.groupBy(inserted, ({ wallet }) => wallet)
    return fresh.map(({ wallet }) => {
      const codes = new Set(codesOf.get(wallet)?.map(({ code }) => code))
      // Of several requests of a player in one batch the first celebrates.
      codesOf.delete(wallet)
      const ordered = MILESTONES.filter(({ code }) => codes.has(code)).map(({ code }) => code)
      return granted({ success: true as const, granted: ordered })
    })
  }
  return runOnceIfFrozen(tx, requests, clock, act, { lockAndRead: () => readFacts(tx, wallets) })
}
