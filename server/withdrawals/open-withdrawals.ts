import type { Credit } from '#game/credit.ts'
import type { Signature, Wire } from '#server/chain/port.ts'
import { type Db, sql, type Tx } from '#server/platform/db/db.ts'
import type { WithdrawalState } from './read-withdrawals.ts'

/** A withdrawal that is not over, as the signer reads it. */
export type OpenWithdrawal = Credit & {
  id: string
  wallet: string
  holdId: string
  state: WithdrawalState
  reason: string | null
  day: string
}

/** What was signed for a withdrawal and is not final yet. */
export type OpenPayout = {
  id: string
  wallet: string
  amount: bigint
  state: 'signed' | 'sent'
  signature: Signature
  wire: Wire
}

const AT_ONCE = 100

const readOpen = sql(
  'signer-read-open',
  `select id::text, wallet, deposited, earned, hold_id::text as "holdId", state, reason, day::text from withdrawals
   where state = $1 order by requested_at, id limit $2`,
)

const lockOne = sql(
  'signer-lock-one',
  `select id::text, wallet, deposited, earned, hold_id::text as "holdId", state, reason, day::text from withdrawals
   where id = $1 for update`,
)

const readPayouts = sql(
  'signer-read-payouts',
  `select w.id::text, w.wallet, p.signature, encode(p.wire, 'base64') as wire, w.deposited + w.earned as amount, w.state
   from withdrawals w join payouts p on p.withdrawal_id = w.id
   where w.state in ('signed', 'sent') order by p.signed_at`,
)

const move = sql(
  'signer-move',
  `update withdrawals set state = $3, reason = $4 where id = $1 and state = $2 returning id`,
)

/** The oldest withdrawals in a state. */
export function readWithdrawalsIn(db: Db, state: WithdrawalState): Promise<OpenWithdrawal[]> {
  return db.rows<OpenWithdrawal>(readOpen, [state, AT_ONCE])
}

/** One withdrawal, locked until the transaction ends. */
export async function lockWithdrawal(tx: Tx, id: string): Promise<OpenWithdrawal | null> {
  return (await tx.rows<OpenWithdrawal>(lockOne, [id]))[0] ?? null
}

/** Every payout that was signed and has not been settled. */
export async function readOpenPayouts(db: Db): Promise<OpenPayout[]> {
  const rows = await db.rows<OpenPayout>(readPayouts)
  // Postgres breaks base64 into lines.
  return rows.map((row) => ({ ...row, wire: row.wire.replaceAll('\n', '') as Wire }))
}

/** Moves a withdrawal on; false where it is no longer in the state that it should leave. */
export async function moveWithdrawal(
  tx: Tx,
  {
    id,
    from,
    to,
    reason = null,
  }: { id: string; from: WithdrawalState; to: WithdrawalState; reason?: string | null },
): Promise<boolean> {
  return (await tx.rows(move, [id, from, to, reason])).length === 1
}
