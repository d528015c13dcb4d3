import type { ReplyOf } from '#contract/route.ts'
import type { claimAllWorkers, claimWorker } from '#contract/workers.ts'
import { baseUnits, type Cotton, toWire, ZERO } from '#game/cotton.ts'
import { claimEntries, totalOf } from '#game/credit.ts'
import { claimable, type WorkerType } from '#game/workers.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type AnswerOf, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'
import { accrualOf, type AccrualRow } from './accrual.ts'

export type Claim = ActionRequest & { workerId: string }

type Row = AccrualRow & { wallet: string; worker_id: string }

// A worker changes only while its player's accounts are locked. A read after that lock needs no lock of its own.
const readWorkers = sql({
  name: 'claim-read-workers',
  params: { requested: rowset({ wallet: 'text', worker_id: 'text' }) },
  row: rowOf<Row>(),
  text: ({ requested }) =>
    `select w.wallet, w.worker_id, w.base, w.rate_per_hour, w.since, w.claimed from workers w
     join ${requested} using (wallet, worker_id)`,
})

const readAllWorkers = sql({
  name: 'claim-read-all-workers',
  params: { wallets: 'text[]', types: 'text[] | null' },
  row: rowOf<Row>(),
  text: ({ wallets, types }) =>
    `select wallet, worker_id, base, rate_per_hour, since, claimed from workers
     where wallet = any(${wallets}) and (${types} is null or worker_type = any(${types}))`,
})

// `claimed` never decreases. A clock that runs behind delays a payment and never repeats one.
const updateClaimed = sql({
  name: 'claim-update-claimed',
  params: { paid: rowset({ wallet: 'text', worker_id: 'text', amount: 'bigint' }) },
  text: ({ paid }) =>
    `update workers w set claimed = w.claimed + paid.amount from ${paid}
     where w.wallet = paid.wallet and w.worker_id = paid.worker_id and paid.amount > 0`,
})

/** Pays what single workers have generated: many claims in, one answer each. Two claims of one worker pay once. */
export async function claim(
  tx: Tx,
  claims: readonly Claim[],
  clock: Clock,
): Promise<AnswerOf<typeof claimWorker>[]> {
  const requested = claims.map(({ wallet, workerId }) => ({ wallet, worker_id: workerId }))
  const lockAndRead = () => tx.rows(readWorkers, { requested })
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
      paid.push({ wallet, worker_id: workerId, amount })
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

/** Pays what all workers of a player, or all of one type, have generated. Each request is one journal. */
export async function claimAll(
  tx: Tx,
  claims: readonly ClaimAll[],
  clock: Clock,
): Promise<AnswerOf<typeof claimAllWorkers>[]> {
  const wallets = claims.map((each) => each.wallet)
  // One request for all types reads all types for the whole batch.
  const types = claims.some((each) => each.workerType === null)
    ? null
    : claims.flatMap((each) => each.workerType ?? [])
  const lockAndRead = () => tx.rows(readAllWorkers, { wallets, types })
  const act = async (ledger: Ledger, fresh: readonly ClaimAll[], now: Date, rows: readonly Row[]) => {
    const open = rows.map((row) => ({
      wallet: row.wallet,
      worker_id: row.worker_id,
      amount: claimable(accrualOf(row), now),
    }))
    const byWallet = Map.groupBy(open, (each) => each.wallet)
    const paid: Paid[] = []
    const answers = fresh.map(({ wallet, workerType }) => {
      const mine = (byWallet.get(wallet) ?? []).filter(
        (each) => each.amount > ZERO && (workerType === null || each.worker_id.startsWith(`${workerType}-`)),
      )
      const amount = baseUnits(mine.reduce((sum, each) => sum + each.amount, 0n))
      if (amount === ZERO) return refused('nothing_to_claim')
      // One by one: as arguments of a single call, a hundred thousand workers would overflow the stack.
      for (const each of mine) {
        paid.push({ ...each })
        each.amount = ZERO
      }
      const detail = { workers: mine.length, ...(workerType === null ? {} : { workerType }) }
      ledger.post({ wallet, kind: 'claim', at: now, detail, entries: claimEntries(wallet, amount) })
      return granted({ ...replyFor(amount, totalOf(ledger.balances(wallet))), claimedWorkers: mine.length })
    })
    write(tx, paid)
    return answers
  }
  return runOnce(tx, claims, clock, act, { lockAndRead })
}

type Paid = { wallet: string; worker_id: string; amount: Cotton }

function write(tx: Tx, paid: readonly Paid[]): void {
  if (paid.length > 0) tx.send(updateClaimed, { paid })
}

function replyFor(amount: Cotton, balance: Cotton): ReplyOf<typeof claimWorker> {
  return { success: true, claimedAmount: toWire(amount), newBalance: toWire(balance) }
}
