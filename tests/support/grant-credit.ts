import { cotton } from '#game/cotton.ts'
import { claimEntries, depositEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'

/** Posts this credit as adjustments, so that claims still match the workers. */
export async function grantCredit(
  tx: Parameters<typeof openLedger>[0],
  wallet: string,
  { deposited, earned }: { deposited: number; earned: number },
  at: Date,
): Promise<void> {
  const ledger = await openLedger(tx, [wallet])
  const journal = { wallet, at, kind: 'adjustment' as const, detail: { reason: 'test' } }
  if (deposited > 0) ledger.post({ ...journal, entries: depositEntries(wallet, cotton(deposited)) })
  if (earned > 0) ledger.post({ ...journal, entries: claimEntries(wallet, cotton(earned)) })
  ledger.write()
}
