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

export type CreditedDeposits = {
  /** A sentence. */
  summary: string
  /** The addresses whose history could not be read, each as a sentence with the reason. */
  unread: readonly string[]
}

/** Credits missed deposits, each once. Throws a `StartupError` if the chain cannot be reached. */
export async function creditMissedDeposits(
  { db, clock }: Pick<CommandContext, 'db' | 'clock'>,
  chain: Chain,
): Promise<CreditedDeposits> {
  const before = (await db.rows(sumCredited))[0]!
  const addresses = await db.rows(readAddresses)
  const unread: string[] = []
  for (const address of addresses) {
    try {
      await creditDeposits({ db, chain, clock }, address)
    } catch (error) {
      if (error instanceof ChainUnavailable) throw new StartupError(error.message)
      unread.push(`the deposits of ${address.owner} could not be read: ${String(error)}`)
    }
  }
  const after = (await db.rows(sumCredited))[0]!
  const fresh = after.count - before.count
  const found =
    fresh === 0
      ? 'no missed deposits'
      : `${fresh} missed deposits of ${formatExact(after.amount - before.amount)} $COTTON credited`
  const failed = unread.length === 0 ? '' : `, ${unread.length} addresses could not be read`
  return { summary: `${addresses.length} deposit addresses: ${found}${failed}.`, unread }
}
