import type { Address, Chain } from '#server/chain/port.ts'
import { readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { creditMissedDeposits } from '#server/ops/credit-missed-deposits.ts'
import { findUnowedPayouts, type UnowedPayout } from '#server/ops/find-unowed-payouts.ts'

type Deposit = { signature: string; wallet: string; amount: bigint }

/** What the chain has seen since a backup. */
export type Losses = { deposits: readonly Deposit[]; payouts: readonly UnowedPayout[] }

const readCredited = sql({
  name: 'drill-read-credited',
  row: rowOf<Deposit>(),
  text: `select signature, wallet, amount::bigint as amount from receipts where asset = 'cotton' and state = 'credited' and wallet is not null`,
})

/**
 * Compares a restored database with the history of its chain. It credits the deposits that the backup does not contain, in
 * the restored database, and only reads from the chain.
 */
export async function findLosses({
  db,
  chain,
  clock,
}: {
  db: Db
  chain: Chain
  clock: Clock
}): Promise<Losses> {
  const boundChain = await readBoundChain(db)
  if (boundChain === null) return { deposits: [], payouts: [] }
  const before = new Set((await db.rows(readCredited)).map(({ signature }) => signature))
  await creditMissedDeposits({ db, clock, say: () => undefined }, chain)
  const deposits = (await db.rows(readCredited)).filter(({ signature }) => !before.has(signature))
  const { unowed } = await findUnowedPayouts({ db }, { chain, treasury: boundChain.treasury as Address })
  return { deposits, payouts: unowed.filter(({ restored }) => restored === null) }
}
