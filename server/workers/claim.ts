import { baseUnits, type Cotton, toWire, ZERO } from '#game/cotton.ts'
import { claimEntries, totalOf } from '#game/credit.ts'
import { type Accrual, claimable, type WorkerType } from '#game/workers.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type Answer, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'

export type Claim = ActionRequest & { workerId: string }
export type ClaimReply = { success: true; claimedAmount: number; newBalance: number }

type Row = {
  wallet: string
  worker_id: string
  base: bigint
  rate_per_hour: number
  since: Date
  claimed: bigint
}

// A worker is moved behind the lock of its player's accounts only: a read behind that lock needs none of its own.
const readWorkers = sql(
  'claim-read-workers',
  `select w.wallet, w.worker_id, w.base, w.rate_per_hour, w.since, w.claimed from workers w
   join unnest($1::text[], $2::text[]) as asked (wallet, worker_id) using (wallet, worker_id)`,
)

const readAllWorkers = sql(
  'claim-read-all-workers',
  `select wallet, worker_id, base, rate_per_hour, since, claimed from workers
   where wallet = any($1::text[]) and ($2::text[] is null or worker_type = any($2::text[]))`,
)

// Claimed only ever grows: a clock that runs behind pays late, never twice.
const updateClaimed = sql(
  'claim-update-claimed',
  `update workers w set claimed = w.claimed + paid.amount
   from unnest($1::text[], $2::text[], $3::bigint[]) as paid (wallet, worker_id, amount)
   where w.wallet = paid.wallet and w.worker_id = paid.worker_id and paid.amount > 0`,
)

/** Pays what single workers have picked: many claims in, one answer each. Two claims of one worker pay once. */
export async function claim(tx: Tx, claims: readonly Claim[], clock: Clock): Promise<Answer<ClaimReply>[]> {
  const wallets = claims.map((each) => each.wallet)
  const workerIds = claims.map((each) => each.workerId)
  const lockAndRead = () => tx.rows<Row>(readWorkers, [wallets, workerIds])
  const act = async (ledger: Ledger, fresh: readonly Claim[], now: Date, rows: readonly Row[]) => {
    const open = new Map(
      rows.map((row) => [`${row.wallet} ${row.worker_id}`, claimable(accrualOf(row), now)]),
    )
    const paid: Paid[] = []
    const answers = fresh.map(({ wallet, workerId }) => {
      const amount = open.get(`${wallet} ${workerId}`)
      if (amount === undefined) return refused('worker_not_found')
      if (amount === ZERO) return refused('nothing_to_claim')
      open.set(`${wallet} ${workerId}`, ZERO)
      paid.push({ wallet, workerId, amount })
      ledger.post({
        wallet,
        kind: 'claim',
        at: now,
        detail: { workerId },
        entries: claimEntries(wallet, amount),
      })
      return granted(replyFor(amount, totalOf(ledger.balances(wallet))))
    })
    write(tx, paid)
    return answers
  }
  return runOnce(tx, claims, clock, act, { lockAndRead })
}

export type ClaimAll = ActionRequest & { workerType: WorkerType | null }
export type ClaimAllReply = ClaimReply & { claimedWorkers: number }

/** Pays what all workers of a player, or all of one type, have picked; one move in the ledger for each request. */
export async function claimAll(
  tx: Tx,
  claims: readonly ClaimAll[],
  clock: Clock,
): Promise<Answer<ClaimAllReply>[]> {
  const types = claims.some((each) => each.workerType === null) ? null : claims.map((each) => each.workerType)
  const lockAndRead = () => tx.rows<Row>(readAllWorkers, [claims.map((each) => each.wallet), types])
  const act = async (ledger: Ledger, fresh: readonly ClaimAll[], now: Date, rows: readonly Row[]) => {
    const open = rows.map((row) => ({
      wallet: row.wallet,
      workerId: row.worker_id,
      amount: claimable(accrualOf(row), now),
    }))
    const byWallet = Map.groupBy(open, (each) => each.wallet)
    const paid: Paid[] = []
    const answers = fresh.map(({ wallet, workerType }) => {
      const mine = (byWallet.get(wallet) ?? []).filter(
        (each) => each.amount > ZERO && (workerType === null || each.workerId.startsWith(`${workerType}-`)),
      )
      const amount = baseUnits(mine.reduce((sum, each) => sum + each.amount, 0n))
      if (amount === ZERO) return refused('nothing_to_claim')
      paid.push(...mine.map((each) => ({ ...each })))
      for (const each of mine) each.amount = ZERO
      const detail = { workers: mine.length, ...(workerType === null ? {} : { workerType }) }
      ledger.post({ wallet, kind: 'claim', at: now, detail, entries: claimEntries(wallet, amount) })
      return granted({ ...replyFor(amount, totalOf(ledger.balances(wallet))), claimedWorkers: mine.length })
    })
    write(tx, paid)
    return answers
  }
  return runOnce(tx, claims, clock, act, { lockAndRead })
}

type Paid = { wallet: string; workerId: string; amount: Cotton }

function write(tx: Tx, paid: readonly Paid[]): void {
  if (paid.length === 0) return
  void tx.rows(updateClaimed, [
    paid.map((each) => each.wallet),
    paid.map((each) => each.workerId),
    paid.map((each) => each.amount),
  ])
}

function accrualOf(row: Row): Accrual {
  return {
    base: baseUnits(row.base),
    ratePerHour: row.rate_per_hour,
    since: row.since,
    claimed: baseUnits(row.claimed),
  }
}

function replyFor(amount: Cotton, balance: Cotton): ClaimReply {
  return { success: true, claimedAmount: toWire(amount), newBalance: toWire(balance) }
}
