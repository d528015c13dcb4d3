import { baseUnits } from '#game/cotton.ts'
import { bearLines } from '#game/credit.ts'
import type { Address } from '#server/chain/port.ts'
import { openBook } from '#server/ledger/book.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import { exactly } from './amounts.ts'
import { type Command, ownChain } from './desk.ts'
import { findUnowed, type Unowed } from './find-unowed.ts'
import { readFreePool } from './free-pool.ts'
import { findOpen } from './list-restored.ts'
import { actLogged } from './operator-log.ts'
import { required } from './read-arguments.ts'
import { debtOf, readRestored } from './restored-payouts.ts'

const keep = sql(
  'restored-acknowledge',
  `insert into restored_payouts
     (signature, withdrawal_id, wallet, amount, borne, borne_journal_id, acknowledged_at, acknowledged_by, reason)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (signature) do update set borne = excluded.borne, borne_journal_id = excluded.borne_journal_id,
     acknowledged_at = excluded.acknowledged_at, acknowledged_by = excluded.acknowledged_by, reason = excluded.reason`,
)

export const acknowledge: Command = {
  usage: '<transaction> --by <name> --reason <text> [--debt pool]',
  does: 'marks a payout that the books do not owe, or its remaining debt, as handled, so that `reconcile` and `restored` no longer report it. With --debt pool the pool covers the rest; without it, send as many tokens to the treasury',
  words: 1,
  options: ['by', 'reason', 'debt'],
  async run(desk, given) {
    const [signature] = given.words as [string]
    const { debt = 'none' } = given.options
    if (debt !== 'none' && debt !== 'pool') throw new StartProblem('--debt is pool, or left out.')
    const why = required(given, 'reason')
    const { chain, own } = await ownChain(desk)
    const named = { transaction: signature, debt }
    await actLogged(desk, { command: 'acknowledge', arguments: named, given }, async (tx, { who, now }) => {
      const treasury = own.treasury as Address
      const { unowed } = await findUnowed({ db: desk.db }, { chain, treasury })
      const payout = findOpen(unowed, signature)
      return acknowledgeOne(tx, payout, { who, now, why, pool: debt === 'pool' })
    })
  },
}

type Acknowledging = { who: string; now: Date; why: string; pool: boolean }

async function acknowledgeOne(tx: Tx, payout: Unowed, of: Acknowledging): Promise<string> {
  const { signature, withdrawalId, wallet, amount } = payout
  const nothing = { deposited: 0n, earned: 0n, borne: 0n }
  const before = (await readRestored(tx)).get(signature) ?? { ...payout, ...nothing }
  const left = debtOf({ ...before, amount, withdrawalId, wallet, acknowledgedBy: null, reason: null })
  const borne = of.pool ? left : 0n
  const journalId = of.pool ? await bear(tx, { ...payout, left }, of) : null
  const values = [signature, withdrawalId, wallet, amount, borne, journalId, of.now, of.who, of.why]
  await tx.rows(keep, values)
  const named = `Acknowledged: ${exactly(left)} $COTTON of ${exactly(amount)} to ${wallet ?? 'no single wallet'}`
  return of.pool
    ? `${named} are borne by the pool.`
    : `${named} are missing until as many come into the treasury.`
}

/** The tokens are gone, and what stood against them in the pool goes with them. */
async function bear(
  tx: Tx,
  { signature, withdrawalId, left }: Unowed & { left: bigint },
  { now, why }: Acknowledging,
): Promise<string> {
  const book = await openBook(tx, [])
  const free = await readFreePool(tx, now)
  if (left > free)
    throw new StartProblem(`The pool has ${exactly(free)} $COTTON to give away, not ${exactly(left)}.`)
  const detail = { reason: why, signature, withdrawalId }
  const lines = bearLines(baseUnits(left))
  const id = book.post({ wallet: 'operator', kind: 'adjustment', at: now, detail, lines })
  await book.close()
  return id
}
