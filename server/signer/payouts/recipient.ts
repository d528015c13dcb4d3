import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import type { Address, Chain, TokenAccount } from '#server/chain/port.ts'
import { sql } from '#server/platform/db/db.ts'
import type { OpenPayout } from '#server/withdrawals/open-withdrawals.ts'
import type { Signer } from '../signer.ts'

const DAY_MS = 24 * 60 * 60_000

/** How long it takes until a wallet's token account is opened at our cost again. */
const REOPEN_INTERVAL_MS = 30 * DAY_MS

const readOpened = sql(
  'payouts-read-opened',
  `select from payouts p join withdrawals w on w.id = p.withdrawal_id
   where w.wallet = $1 and p.opens_account and w.state = 'finalized' and p.signed_at > $2 limit 1`,
)

/** Where the tokens go: an account that is there, or one that this payout opens. */
export type Recipient = { state: 'exists' | 'opens'; opensAccount: boolean }

type Waiting = { state: 'waits'; reason: WithdrawalReason }

/** The token accounts of wallets as they are final on the chain, asked for in one call; null where there is none. */
export async function readTokenAccounts(
  chain: Chain,
  wallets: ReadonlySet<string>,
): Promise<ReadonlyMap<string, TokenAccount | null>> {
  const requested = [...wallets]
  const addresses = await Promise.all(requested.map((wallet) => chain.tokenAccountOf(wallet as Address)))
  const found = await chain.tokenAccounts(addresses)
  return new Map(requested.map((wallet, at) => [wallet, found[at] ?? null]))
}

/**
 * Whether the tokens of a wallet can go into `account`, its token account. Its rent is ours to pay once in 30 days: who closes it takes that rent, and could
 * withdraw and close again and again. Where another payout that opens it is on its way, this one follows it.
 */
export async function resolveRecipient(
  { db, clock }: Pick<Signer, 'db' | 'clock'>,
  { wallet, account }: { wallet: string; account: TokenAccount | null },
  open: readonly OpenPayout[],
): Promise<Recipient | Waiting> {
  if (account) {
    if (account.frozen || account.owner !== wallet) return { state: 'waits', reason: 'account_unusable' }
    return { state: 'exists', opensAccount: false }
  }
  if (open.some((payout) => payout.wallet === wallet && payout.opensAccount)) {
    return { state: 'waits', reason: 'account_opening' }
  }
  const since = new Date(clock.now().getTime() - REOPEN_INTERVAL_MS)
  const openedRecently = (await db.rows(readOpened, [wallet, since])).length > 0
  return openedRecently
    ? { state: 'waits', reason: 'account_closed' }
    : { state: 'opens', opensAccount: true }
}
