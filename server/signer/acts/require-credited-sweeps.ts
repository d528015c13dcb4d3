import { type Address, ChainUnavailable } from '#server/chain/port.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import type { StepDeps } from '../step-deps.ts'
import { recordMissedSweeps } from '../sweeps/record-missed-sweeps.ts'

const readUncredited = sql({
  name: 'acts-read-uncredited-sweeps',
  row: rowOf<{ token_account: string }>(),
  text: 'select token_account from token_account_totals where credited = 0 and swept > unclaimed limit 1',
})

/**
 * Requires that the books say whose the tokens are that were swept from accounts without a credited deposit. A restored database
 * may lack the only deposit of a player and its sweep: the tokens would look as if they were owed to nobody. Of an account with a
 * credited deposit the reserve counts all that is uncredited as owed. Rejects with `ChainUnavailable`.
 */
export async function requireCreditedSweeps(
  { db, chain, clock, log }: StepDeps,
  treasury: Address,
): Promise<void> {
  const treasuryTokens = await chain.tokenAccountOf(treasury)
  const { done } = await recordMissedSweeps({ db, chain, clock, log, treasury, treasuryTokens })
  if (!done)
    throw new ChainUnavailable('The sweeps into the treasury are not all read yet. It is tried again.')
  const [account] = await db.rows(readUncredited)
  if (account)
    throw new ChainUnavailable(
      `Tokens that were swept from ${account.token_account} are not all credited yet. It is tried again. "npm run ops -- reconcile" reads them.`,
    )
}
