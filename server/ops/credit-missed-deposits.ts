import { formatExact } from '#game/cotton.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import type { DepositAddress } from '#server/deposits/take-address.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { CommandContext } from './command.ts'

const readAddresses = sql({
  name: 'reconcile-read-addresses',
  row: rowOf<DepositAddress>(),
  text: 'select wallet, owner, token_account as "tokenAccount" from deposit_addresses where wallet is not null order by index',
})

const sumCredited = sql({
  name: 'reconcile-sum-credited',
  row: rowOf<{ count: number; amount: bigint }>(),
  text: `select count(*)::int as count, coalesce(sum(amount), 0)::bigint as amount from receipts
   where asset = 'cotton' and state = 'credited'`,
})

/** Credits missed deposits, each once, and returns a summary. */
export async function creditMissedDeposits(
  { db, clock, say }: CommandContext,
  chain: Chain,
): Promise<string> {
  const before = (await db.rows(sumCredited))[0]!
  const addresses = await db.rows(readAddresses)
  let failures = 0
  for (const address of addresses) {
    try {
      await creditDeposits({ db, chain, clock }, address)
    } catch (error) {
      if (error instanceof ChainUnavailable) throw new StartupError(error.message)
      failures += 1
      say(`DIFFERS  the deposits of ${address.owner} could not be read: ${String(error)}`)
      process.exitCode = 1
    }
  }
  const after = (await db.rows(sumCredited))[0]!
  const fresh = after.count - before.count
  const found =
    fresh === 0
      ? 'no missed deposits'
      : `${fresh} missed deposits of ${formatExact(after.amount - before.amount)} $COTTON credited`
  const failed = failures === 0 ? '' : `, ${failures} addresses could not be read`
  return `${addresses.length} deposit addresses: ${found}${failed}.`
}
