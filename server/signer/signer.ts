import type { KeyPairSigner } from '@solana/kit'
import type { Address } from '#server/chain/port.ts'
import type { Site } from '#server/platform/site.ts'
import { readWithdrawalSettings, type WithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { Lanes } from './nonces/renew-lanes.ts'
import { NO_SIGNED_PAYOUT_LOG, type SignedPayoutLog } from './payouts/signed-payout-log.ts'
import type { StepDeps } from './step-deps.ts'
import type { SweepCursor } from './sweeps/sweep-deposits.ts'

/** Everything the signer works with. Only start-signer.ts and tests see all of it; each step gets what it declares. */
export type Signer = StepDeps & {
  keys: KeyRing
  settings: WithdrawalSettings
  /** The site that wallets name in the messages they sign. */
  site: Site
  signed: SignedPayoutLog
  treasury: KeyPairSigner
  /** The treasury's token account. */
  treasuryTokens: Address
  sweepCursor: SweepCursor
  lanes: Lanes
}

type SignerOptions = StepDeps & Pick<Signer, 'keys' | 'site'> & Partial<Pick<Signer, 'settings' | 'signed'>>

/** Creates a signer. Without `settings` it uses the defaults; without `signed` it writes no log of signed payouts. */
export async function openSigner(options: SignerOptions): Promise<Signer> {
  const { treasury } = options.keys
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
