import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import type { Address, Chain, TokenAccount } from '#server/chain/port.ts'
import { sql } from '#server/platform/db/db.ts'
import type { StepDeps } from '../step-deps.ts'

const DAY_MS = 24 * 60 * 60_000

/** The treasury pays the rent of a wallet's token account at most once in this interval. */
const REOPEN_INTERVAL_MS = 30 * DAY_MS

// A payout is settled after it was signed. The condition on both bounds how many payouts of the wallet are read.
const readOpened = sql({
  name: 'payouts-read-opened',
  params: { wallet: 'text', since: 'timestamptz' },
  text: ({ wallet, since }) => `select from payouts p join withdrawals w on w.id = p.withdrawal_id
    where w.wallet = ${wallet} and p.opens_account and w.state = 'finalized' and w.settled_at > ${since}
      and p.signed_at > ${since} limit 1`,
})

/** A wallet that a payout can go to now. `opensAccount`: it has no token account, and the payout opens one. */
export type Recipient = { state: 'ready'; opensAccount: boolean }

type Waiting = { state: 'waits'; reason: WithdrawalReason }

/** The finalized token accounts of wallets, read in one call; null where a wallet has none. */
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
 * Whether a payout can go into `account`, the wallet's token account. The treasury pays the rent of a new account once
 * in 30 days: the owner receives that rent on closing the account, and could otherwise withdraw and close repeatedly.
 * `opening` are the wallets whose account a payout in flight opens: another one waits for it.
 */
export async function resolveRecipient(
  { db, clock }: Pick<StepDeps, 'db' | 'clock'>,
  { wallet, account }: { wallet: string; account: TokenAccount | null },
  opening: ReadonlySet<string>,
): Promise<Recipient | Waiting> {
  if (account) {
    if (account.frozen || account.owner !== wallet) return { state: 'waits', reason: 'account_unusable' }
    return { state: 'ready', opensAccount: false }
  }
  if (opening.has(wallet)) return { state: 'waits', reason: 'account_opening' }
  const since = new Date(clock.now().getTime() - REOPEN_INTERVAL_MS)
  const openedRecently = (await db.rows(readOpened, { wallet, since })).length > 0
  return openedRecently
    ? { state: 'waits', reason: 'account_closed' }
    : { state: 'ready', opensAccount: true }
}
