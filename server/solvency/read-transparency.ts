import type { ReplyOf } from '#contract/route.ts'
import type { readTransparency as route } from '#contract/transparency.ts'
import { WHOLE_BPS } from '#game/basis-points.ts'
import { baseUnits, toWire } from '#game/cotton.ts'
import { dailyBudget, WALLET_BUDGET_BPS } from '#game/credit.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { dayAfter, readRewardDay } from '#server/withdrawals/reward-day.ts'
import { readPause } from '#server/withdrawals/withdrawal-pause.ts'
import { standingOf } from '#server/withdrawals/reserve-standing.ts'
import { owedBy, tokensOf } from './compare-reserve.ts'
import { type ReserveSnapshot, readSnapshot } from './reserve-snapshot.ts'
import { addedBetween, type Flows, readFlowsDayAgo } from './record-credit-supply.ts'
import { readCreditSupply } from './read-credit-supply.ts'

export type Transparency = ReplyOf<typeof route>

// Players see an approved withdrawal as requested.
const readQueue = sql({
  name: 'transparency-read-queue',
  row: rowOf<{
    state: Transparency['queue'][number]['state']
    count: number
    amount: bigint
    oldest: Date
  }>(),
  text: `select case state when 'approved' then 'requested' else state end as state, count(*)::int as count,
     sum(deposited + earned)::bigint as amount, min(requested_at) as oldest
   from withdrawals where state not in ('finalized', 'refunded') group by 1
   order by array_position(array['requested', 'review', 'signed', 'sent'], case state when 'approved' then 'requested' else state end)`,
})

const wire = (units: bigint): number => toWire(baseUnits(units))

/** The public figures of the game's money at `now`. */
export async function readTransparency(db: Queryable, now: Date): Promise<Transparency> {
  const supply = await readCreditSupply(db)
  const before = await readFlowsDayAgo(db, now)
  const snapshot = await readSnapshot(db)
  const queue = await db.rows(readQueue)
  const today = await readRewardDay(db, now)
  const budget = today?.budget ?? dailyBudget(baseUnits(supply.pool))
  const pause = await readPause(db)
  const flow = (name: keyof Flows) => ({
    total: wire(supply[name]),
    lastDay: wire(addedBetween({ from: before[name], to: supply[name] })),
  })
  return {
    supply: {
      deposited: wire(supply.deposited),
      earned: wire(supply.earned),
      pool: wire(supply.pool),
      held: wire(supply.held),
    },
    flows: { emitted: flow('emitted'), burned: flow('burned'), spent: flow('spent') },
    reserve: snapshot && toReserveView(snapshot, now),
    budget: {
      total: wire(budget),
      used: wire(today?.spent ?? 0n),
      left: wire(budget - (today?.spent ?? 0n)),
      perWallet: wire((budget * WALLET_BUDGET_BPS) / WHOLE_BPS),
      resetsAt: dayAfter(now).toISOString(),
    },
    queue: queue.map(({ state, count, amount, oldest }) => ({
      state,
      count,
      amount: wire(amount),
      oldest: oldest.toISOString(),
    })),
    pause: pause && { reason: pause.why, since: pause.since.toISOString() },
  }
}

function toReserveView(snapshot: ReserveSnapshot, now: Date): Transparency['reserve'] {
  const { at, slot, treasury, cold, depositAccounts, inFlight } = snapshot
  return {
    standing: standingOf(snapshot, now),
    at: at.toISOString(),
    slot: Number(slot),
    treasury: wire(treasury),
    cold: wire(cold),
    coldWallets: [...snapshot.coldWallets],
    depositAccounts: wire(depositAccounts),
    inFlight: wire(inFlight),
    tokens: wire(tokensOf(snapshot)),
    owed: wire(owedBy(snapshot)),
  }
}
