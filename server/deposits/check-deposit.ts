import type { ReplyOf } from '#contract/route.ts'
import type { checkDeposit as checkRoute } from '#contract/deposits.ts'
import { baseUnits, toWire } from '#game/cotton.ts'
import { totalOf } from '#game/credit.ts'
import { ChainUnavailable } from '#server/chain/port.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import { refuse } from '#server/platform/answer.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { creditDeposits, type ScanDeps } from './credit-deposits.ts'
import { markActive } from './mark-active.ts'
import { readDepositAddress } from './take-address.ts'

/** How many transactions of each history a check reads. The watcher reads the rest of a longer one. */
const MAX_TRANSACTIONS = 50

/**
 * How many deposits one check reports. Anyone can send a player very many small ones, and marking all of them would take longer
 * than a statement may, in every check.
 */
const MAX_REPORTED = 1_000

// The rows are locked where they are found, so that two checks at once do not report a deposit twice.
const markReported = sql({
  name: 'deposits-mark-reported',
  params: { wallet: 'text', now: 'timestamptz', limit: 'integer' },
  row: rowOf<{ amount: bigint }>(),
  text: ({ wallet, now, limit }) =>
    `update receipts set told_at = ${now} where ctid = any(array(
       select ctid from receipts
       where wallet = ${wallet} and asset = 'cotton' and state = 'credited' and told_at is null limit ${limit} for update
     )) returning amount::bigint`,
})

// What is not final may exceed a bigint: only what is credited is limited.
const sumPending = sql({
  name: 'deposits-sum-pending',
  params: { wallet: 'text' },
  row: rowOf<{ pending: string }>(),
  text: ({ wallet }) =>
    `select coalesce(sum(amount), 0)::text as pending from receipts
     where wallet = ${wallet} and asset = 'cotton' and state = 'pending'`,
})

/**
 * Scans a player's deposit address and returns what was credited since their last check, whichever process credited it. Of
 * very many deposits, the next checks return the rest. Refuses with chain_unreachable if no node answers and there is nothing
 * new to report.
 */
export async function checkDeposit(deps: ScanDeps, wallet: string): Promise<ReplyOf<typeof checkRoute>> {
  const { db, clock } = deps
  const isReachable = await scanAddress(deps, wallet)
  // Before what is credited: in the other order, a deposit that another process credits between the two is in neither.
  const [sum] = await db.rows(sumPending, { wallet })
  const reported = await db.rows(markReported, { wallet, now: clock.now(), limit: MAX_REPORTED })
  if (!isReachable && reported.length === 0) refuse('chain_unreachable')
  const amount = reported.reduce((sum, row) => sum + row.amount, 0n)
  const balance = await readBalance(db, wallet)
  return {
    success: true,
    newDeposit: amount > 0n,
    amount: toWire(baseUnits(amount)),
    newBalance: toWire(totalOf(balance)),
    pending: toWire(baseUnits(BigInt(sum?.pending ?? 0))),
  }
}

async function scanAddress(deps: ScanDeps, wallet: string): Promise<boolean> {
  const address = await readDepositAddress(deps.db, wallet)
  if (!address) return true
  // A player who checks probably expects a deposit, so the watcher reads this address in every round.
  await markActive(deps.db, { owner: address.owner, now: deps.clock.now() })
  try {
    await creditDeposits(deps, address, { maxTransactions: MAX_TRANSACTIONS })
    return true
  } catch (error) {
    if (error instanceof ChainUnavailable) return false
    throw error
  }
}
