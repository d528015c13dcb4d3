import type { KeyPairSigner } from '@solana/kit'
import type { Address } from '#server/chain/port.ts'
import type { Site } from '#server/platform/site.ts'
import { readWithdrawalSettings, type WithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import { NO_OPERATORS, type Operators } from '#server/operators/read-operators.ts'
import type { TakeBackPause } from './acts/execute-acts.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { Lanes, StartSlot } from './nonces/renew-lanes.ts'
import { NO_SIGNED_PAYOUT_LOG, type SignedPayoutLog } from './payouts/signed-payout-log.ts'
import type { ApprovalCursor } from './review/approvals.ts'
import type { StepDeps } from './step-deps.ts'
import type { Seal } from './review/verdict-seal.ts'
import type { SweepCursor } from './sweeps/sweep-deposits.ts'

/** Everything the signer works with. Only start-signer.ts and tests see all of it; each step gets what it declares. */
export type Signer = StepDeps & {
  keys: KeyRing
  settings: WithdrawalSettings
  /** The site that wallets name in the messages they sign. */
  site: Site
  signed: SignedPayoutLog
  /** The operators that the file names now. */
  operators: () => Operators
  coldWallets: readonly string[]
  seal: Seal
  treasury: KeyPairSigner
  /** The treasury's token account. */
  treasuryTokens: Address
  sweepCursor: SweepCursor
  approvalCursor: ApprovalCursor
  takeBackPause: TakeBackPause
  lanes: Lanes
  startSlot: StartSlot
}

type SignerOptions = StepDeps &
  Pick<Signer, 'keys' | 'site'> &
  Partial<Pick<Signer, 'settings' | 'signed' | 'operators' | 'coldWallets'>>

/**
 * Creates a signer. Without `settings` it uses the defaults; without `signed` it writes no log of signed payouts;
 * without `operators` nobody is one.
 */
export async function openSigner(options: SignerOptions): Promise<Signer> {
  const { treasury } = options.keys
  return {
    settings: readWithdrawalSettings({}),
    signed: NO_SIGNED_PAYOUT_LOG,
    operators: () => NO_OPERATORS,
    coldWallets: [],
    ...options,
    treasury,
    seal: options.keys.seal,
    treasuryTokens: await options.chain.tokenAccountOf(treasury.address),
    sweepCursor: { from: 0 },
    approvalCursor: { from: null },
    takeBackPause: { rounds: 0 },
    lanes: new Map(),
    startSlot: { slot: null },
  }
}
