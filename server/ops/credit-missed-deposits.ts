import { formatExact } from '#game/cotton.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { creditDeposits, type ScanOptions } from '#server/deposits/credit-deposits.ts'
import { findMismatches, readWatchedGroup } from '#server/deposits/find-mismatches.ts'
import type { DepositAddress } from '#server/deposits/take-address.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { CommandContext } from './command.ts'

const readAddresses = sql({
  name: 'reconcile-read-addresses',
  row: rowOf<DepositAddress>(),
  text: 'select wallet, owner, token_account as "tokenAccount" from deposit_addresses where wallet is not null order by index',
})

// All deposits that were ever credited may exceed a bigint.
const sumCredited = sql({
  name: 'reconcile-sum-credited',
  row: rowOf<{ count: number; amount: string }>(),
  text: `select count(*)::int as count, coalesce(sum(amount), 0)::text as amount from receipts
   where asset = 'cotton' and state = 'credited'`,
})

/** How many addresses are compared at once. */
const GROUP_SIZE = 1_000

/** How many histories are read after one final slot. It is read again, because a node that is behind must not show them. */
const HISTORIES_PER_SLOT = 100

/** After this many failures in a row no node shows any history. Fewer may be of addresses that no node can answer for. */
const FAILURES_IN_A_ROW = 8

export type CreditedDeposits = {
  /** A sentence. */
  summary: string
  /** The wallets at whose address the history could not be read, each with a sentence that gives the reason. */
  unread: ReadonlyMap<string, string>
}

/**
 * Credits missed deposits, each once. First it reads what is new in every history. Where an account then still does not hold
 * what the books expect, it reads the whole history: a node may have had a gap there, which the cursor has passed. Throws a
 * `StartupError` if the chain cannot be reached.
 */
export async function creditMissedDeposits(
  { db, clock, largeFrom }: Pick<CommandContext, 'db' | 'clock' | 'largeFrom'>,
  chain: Chain,
): Promise<CreditedDeposits> {
  const before = (await db.rows(sumCredited))[0]!
  const addresses = await db.rows(readAddresses)
  const unread = new Map<string, string>()
  const readOrNote = createNotingReader()
  const scan = async (address: DepositAddress, options: ScanOptions): Promise<void> => {
    const failure = await readOrNote(address.owner, () =>
      creditDeposits({ db, chain, clock, largeFrom }, address, options),
    )
    if (failure !== null) unread.set(address.wallet, failure)
  }
  try {
    let finalSlot = 0n
    for (const [at, address] of addresses.entries()) {
      if (at % HISTORIES_PER_SLOT === 0) finalSlot = await chain.slot('finalized')
      await scan(address, { finalSlot })
    }
    for await (const address of readMismatched(db, chain)) await scan(address, { fromStart: true })
  } catch (error) {
    throw error instanceof ChainUnavailable ? new StartupError(error.message) : error
  }
  const after = (await db.rows(sumCredited))[0]!
  const fresh = after.count - before.count
  const found =
    fresh === 0
      ? 'no missed deposits'
      : `${fresh} missed deposits of ${formatExact(BigInt(after.amount) - BigInt(before.amount))} $COTTON credited`
  const failed = unread.size === 0 ? '' : `, ${unread.size} addresses could not be read`
  const summary = `${addresses.length} deposit addresses: ${found}${failed}.`
  return { summary, unread }
}

type NotingReader = (owner: string, read: () => Promise<unknown>) => Promise<string | null>

/**
 * Reads histories one after the other. Of one that cannot be read it returns a sentence that gives the reason. Rejects with
 * `ChainUnavailable` if so many fail in a row that no node shows any.
 */
export function createNotingReader(): NotingReader {
  let failuresInARow = 0
  return async (owner, read) => {
    try {
      await read()
      failuresInARow = 0
      return null
    } catch (error) {
      if (error instanceof ChainUnavailable && ++failuresInARow === FAILURES_IN_A_ROW) throw error
      return `the deposits of ${owner} could not be read: ${String(error)}`
    }
  }
}

/** The assigned addresses whose accounts do not hold what the books expect. */
async function* readMismatched(db: Db, chain: Chain): AsyncGenerator<DepositAddress, void> {
  const notBefore = await chain.slot('finalized')
  let after = 0
  for (;;) {
    const group = await readWatchedGroup(db, { after, limit: GROUP_SIZE })
    yield* await findMismatches(chain, group, { notBefore })
    if (group.length < GROUP_SIZE) return
    after = group.at(-1)!.index
  }
}
