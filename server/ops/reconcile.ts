import { type Address, type Chain, ChainUnavailable, type Signature } from '#server/chain/port.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import { readHistorySince } from '#server/deposits/read-arrivals.ts'
import type { DepositAddress } from '#server/deposits/take-address.ts'
import { sql } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import { type NamedPayout, payoutsIn } from '#server/withdrawals/read-payout-memos.ts'
import { exactly } from './amounts.ts'
import { type Command, type Desk, ownChain } from './desk.ts'
import { actLogged, operatorOf } from './operator-log.ts'

const PAGE = 1_000

const readAddresses = sql(
  'reconcile-read-addresses',
  'select wallet, owner, token_account as "tokenAccount" from deposit_addresses where wallet is not null order by index',
)

const sumCredited = sql(
  'reconcile-sum-credited',
  `select count(*)::int as count, coalesce(sum(amount), 0)::bigint as amount from receipts
   where asset = 'cotton' and state = 'credited'`,
)

// Of all that was signed for a withdrawal at most one transaction landed.
const readPayouts = sql(
  'reconcile-read-payouts',
  `select w.id::text, w.state, (w.deposited + w.earned)::bigint as amount,
     array_remove(array[w.paid_by, p.signature]
       || array(select r.signature from payout_replacements r where r.withdrawal_id = w.id), null) as signatures
   from withdrawals w left join payouts p on p.withdrawal_id = w.id
   where p.withdrawal_id is not null or w.state = 'finalized' or w.id = any($1::uuid[])`,
)

export const reconcile: Command = {
  usage: '[--by <name>]',
  does: 'holds every deposit and payout on the chain against the books, and credits deposits that were missed',
  words: 0,
  options: ['by'],
  async run(desk, given) {
    // Whoever does not say who they are is told so before anything is done.
    operatorOf(given)
    const { chain, own } = await ownChain(desk)
    const credited = await creditMissed(desk, chain)
    const { paid, differences } = await comparePayouts(desk, { chain, treasury: own.treasury as Address })
    for (const line of differences) desk.say(`DIFFERS  ${line}`)
    if (differences.length > 0) process.exitCode = 1
    await actLogged(desk, { command: 'reconcile', arguments: {}, given }, async () =>
      [
        credited,
        `${paid} payouts are on the chain.`,
        differences.length === 0
          ? 'The books know them all.'
          : `${differences.length} differ from the books.`,
      ].join(' '),
    )
  },
}

// The product's own step: whatever it is cut off from, each deposit is credited once.
async function creditMissed({ db, clock, say }: Desk, chain: Chain): Promise<string> {
  type Sum = { count: number; amount: bigint }
  const before = (await db.rows<Sum>(sumCredited))[0]!
  const addresses = await db.rows<DepositAddress>(readAddresses)
  let unread = 0
  for (const address of addresses) {
    try {
      await creditDeposits({ db, chain, clock }, address)
    } catch (error) {
      if (error instanceof ChainUnavailable) throw new StartProblem(error.message)
      unread += 1
      say(`DIFFERS  deposits to ${address.owner} could not be read: ${String(error)}`)
      process.exitCode = 1
    }
  }
  const after = (await db.rows<Sum>(sumCredited))[0]!
  const fresh = after.count - before.count
  const found =
    fresh === 0
      ? 'no deposit was missed'
      : `${fresh} deposits of ${exactly(after.amount - before.amount)} $COTTON were credited now`
  const failed = unread === 0 ? '' : `, ${unread} could not be read`
  return `${addresses.length} deposit addresses: ${found}${failed}.`
}

type Booked = { id: string; state: string; amount: bigint; signatures: Signature[] }

async function comparePayouts(
  { db }: Desk,
  { chain, treasury }: { chain: Chain; treasury: Address },
): Promise<{ paid: number; differences: string[] }> {
  const tokenAccount = await chain.tokenAccountOf(treasury)
  const payments = await readPayments(chain, tokenAccount)
  const rows = await db.rows<Booked>(readPayouts, [payments.map((each) => each.id)])
  const booked = new Map(rows.map((row) => [row.id, row]))
  const known = (each: NamedPayout): boolean =>
    booked.get(each.id)?.signatures.includes(each.signature) === true
  const differences: string[] = []
  let strangers = 0
  for (const each of payments.filter((payment) => !known(payment))) {
    // Anybody may write such a memo; only the treasury's own key takes tokens out of it.
    const receipt = await chain.receipt(each.signature, { owner: treasury, tokenAccount }, 'finalized')
    if (!receipt || receipt.amount >= 0n) strangers += 1
    else differences.push(unknownPayment(each, -receipt.amount, booked.get(each.id) ?? null))
  }
  const landed = new Set(payments.map((each) => each.signature))
  for (const row of rows) differences.push(...differenceOf(row, landed))
  return { paid: payments.length - strangers, differences }
}

function unknownPayment({ id, signature }: NamedPayout, spent: bigint, row: Booked | null): string {
  const owed = row
    ? `withdrawal ${id} is ${row.state} in the books, by another transaction or none`
    : `the books know no withdrawal ${id}`
  return `transaction ${signature} paid ${exactly(spent)} $COTTON, but ${owed}.`
}

function differenceOf({ id, state, amount, signatures }: Booked, landed: ReadonlySet<Signature>): string[] {
  const on = signatures.filter((signature) => landed.has(signature))
  const named = `withdrawal ${id} of ${exactly(amount)} $COTTON`
  if (state === 'finalized' && on.length === 0)
    return [`${named} is paid in the books, and the chain shows no payout.`]
  if (state === 'refunded' && on.length > 0) return [`${named} was refunded, and ${on[0]} paid it.`]
  return []
}

/** Every final transaction of the treasury that calls itself a payout. */
async function readPayments(chain: Chain, address: Address): Promise<NamedPayout[]> {
  const items = await readHistorySince(chain, {
    address,
    cursor: null,
    pageSize: PAGE,
    commitment: 'finalized',
  })
  return payoutsIn(items)
}
