import { baseUnits, formatExact } from '#game/cotton.ts'
import { OPERATOR, writeOffEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { UnowedPayout } from './find-unowed-payouts.ts'
import { requireFreePool } from './read-free-pool.ts'
import { debtOf, readRestored } from './restored-payouts.ts'

const insertAcknowledgement = sql({
  name: 'restored-acknowledge',
  params: {
    signature: 'text',
    withdrawalId: 'uuid',
    wallet: 'text | null',
    amount: 'bigint',
    borne: 'bigint',
    journalId: 'uuid | null',
    now: 'timestamptz',
    who: 'text',
    why: 'text',
  },
  text: (of) =>
    `insert into restored_payouts
       (signature, withdrawal_id, wallet, amount, borne, borne_journal_id, acknowledged_at, acknowledged_by, reason)
     values (${of.signature}, ${of.withdrawalId}, ${of.wallet}, ${of.amount}, ${of.borne}, ${of.journalId}, ${of.now},
       ${of.who}, ${of.why})
     on conflict (signature) do update set borne = excluded.borne, borne_journal_id = excluded.borne_journal_id,
       acknowledged_at = excluded.acknowledged_at, acknowledged_by = excluded.acknowledged_by, reason = excluded.reason`,
})

/** `left` is the amount that is still open. With `pool` the pool covers it. */
type Acknowledgement = { who: string; now: Date; why: string; pool: boolean; left: bigint }

/** Marks a payout that the books do not owe, or the rest of its debt, as handled, and returns a summary. */
export async function acknowledgePayout(tx: Tx, payout: UnowedPayout, of: Acknowledgement): Promise<string> {
  const { signature, withdrawalId, wallet, amount } = payout
  const nothing = { deposited: 0n, earned: 0n, borne: 0n }
  const before = (await readRestored(tx)).get(signature) ?? nothing
  const left = debtOf({ ...before, amount })
  if (left !== of.left)
    throw new StartupError(`The open amount is ${formatExact(left)} $COTTON, not ${formatExact(of.left)}.`)
  const borne = of.pool ? left : 0n
  const journalId = of.pool ? await chargePool(tx, { ...payout, left }, of) : null
  const { now, who, why } = of
  const acknowledged = { signature, withdrawalId, wallet, amount, borne, journalId, now, who, why }
  await tx.rows(insertAcknowledgement, acknowledged)
  const summary = `Acknowledged: ${formatExact(left)} $COTTON of ${formatExact(amount)} to ${wallet ?? 'no single wallet'}`
  return of.pool
    ? `${summary} are paid from the pool.`
    : `${summary} are missing until the same number of tokens is sent to the treasury.`
}

/** Writes the tokens off against the pool, and returns the journal. */
async function chargePool(
  tx: Tx,
  { signature, withdrawalId, left }: UnowedPayout & { left: bigint },
  { now, why }: Acknowledgement,
): Promise<string> {
  const ledger = await openLedger(tx, [])
  await requireFreePool(tx, { amount: left, now })
  const detail = { reason: why, signature, withdrawalId }
  const entries = writeOffEntries(baseUnits(left))
  const id = ledger.post({ wallet: OPERATOR, kind: 'adjustment', at: now, detail, entries })
  ledger.write()
  return id
}
