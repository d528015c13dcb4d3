import type { KeyPairSigner } from '@solana/kit'
import type { Address, Chain, Nonce } from '#server/chain/port.ts'
import type { SignedTransaction } from '#server/chain/transactions.ts'
import { deriveTreasuryKey } from './keys/derive-keys.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import type { Site } from '#server/platform/site.ts'
import { readWithdrawalSettings, type WithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import { NO_SIGNED_PAYOUT_LOG, type SignedPayoutLog } from './payouts/signed-payout-log.ts'

/** What every step of the signer stands on. Only this process ever holds a seed or a key. */
export type Signer = {
  db: Db
  chain: Chain
  clock: Clock
  log: Log
  seed: Uint8Array
  settings: WithdrawalSettings
  /** Of which wallets' signatures must speak. */
  site: Site
  signed: SignedPayoutLog
  treasury: KeyPairSigner
  /** Where the treasury's tokens are. */
  treasuryTokens: Address
  /** After which deposit address the next look at all of them goes on. */
  sweepCursor: { from: number }
  /** Lanes that this process has made safe to sign on. */
  lanes: Map<number, LaneRenewal>
}

/** How far a lane is on its way to be safe. */
export type LaneRenewal = {
  /** Of the chain, before this process first asked for the lane's nonce: what landed later used that nonce up. */
  startSlot: bigint
  /** What this process sent to use nonces up, by the nonce that each stands on. */
  advances: ReadonlyMap<Nonce, SignedTransaction>
  /** Since which slot nothing that is unknown can land; null while it may, and then nothing is signed. */
  safeSince: bigint | null
}

type SignerOptions = Pick<Signer, 'db' | 'chain' | 'clock' | 'log' | 'seed' | 'site'> &
  Partial<Pick<Signer, 'settings' | 'signed'>>

/** Opens the signer over a seed; without settings, with those that nobody has set, and without a file of its own. */
export async function openSigner(options: SignerOptions): Promise<Signer> {
  const treasury = await deriveTreasuryKey(options.seed)
  return {
    settings: readWithdrawalSettings({}),
    signed: NO_SIGNED_PAYOUT_LOG,
    ...options,
    treasury,
    treasuryTokens: await options.chain.tokenAccountOf(treasury.address),
    sweepCursor: { from: 0 },
    lanes: new Map(),
  }
}
