import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import type { Address } from '#server/chain/port.ts'
import { sql } from '#server/platform/db/db.ts'
import type { OpenPayout, OpenWithdrawal } from './open-withdrawals.ts'
import type { Signer } from './signer.ts'

const DAY_MS = 24 * 60 * 60_000

/** How long it takes until a wallet's token account is opened at our cost again. */
const OPENED_ONCE_IN_MS = 30 * DAY_MS

const readOpened = sql(
  'payouts-read-opened',
  `select from payouts p join withdrawals w on w.id = p.withdrawal_id
   where w.wallet = $1 and p.opens_account and w.state = 'finalized' and p.signed_at > $2 limit 1`,
)

/** Where the tokens go: an account that is there, or one that this payout opens. */
export type Recipient = { state: 'there' | 'opens'; opensAccount: boolean }

type Waiting = { state: 'waits'; reason: WithdrawalReason } | { state: 'opening' }

/**
 * The token account of a wallet. Its rent is ours to pay once in 30 days: who closes it takes that rent, and could
 * withdraw and close again and again. `opening`: another payout that opens it is on its way.
 */
export async function recipientOf(
  { db, chain, clock }: Signer,
  { wallet }: OpenWithdrawal,
  open: readonly OpenPayout[],
): Promise<Recipient | Waiting> {
  const account = await chain.tokenAccount(await chain.tokenAccountOf(wallet as Address), 'finalized')
  if (account) {
    if (account.frozen || account.owner !== wallet) return { state: 'waits', reason: 'account_unusable' }
    return { state: 'there', opensAccount: false }
  }
  if (open.some((payout) => payout.wallet === wallet && payout.opensAccount)) return { state: 'opening' }
  const since = new Date(clock.now().getTime() - OPENED_ONCE_IN_MS)
  const openedLately = (await db.rows(readOpened, [wallet, since])).length > 0
  return openedLately ? { state: 'waits', reason: 'account_closed' } : { state: 'opens', opensAccount: true }
}
