import { type Cotton, cotton } from '#game/cotton.ts'
import { StartupError } from './startup-error.ts'

/** How much can be withdrawn how fast. A withdrawal above a limit is not refused; it waits for manual review. */
export type WithdrawalLimits = {
  /** `WITHDRAWAL_REVIEW_ABOVE`, for one withdrawal. */
  reviewAbove: Cotton
  /** `WITHDRAWAL_NEW_WALLET_HOURS`: how long a wallet counts as new. */
  newWalletHours: number
  /** `WITHDRAWALS_PER_WALLET_DAY` and `WITHDRAWN_PER_WALLET_DAY`, for one wallet within 24 hours. */
  perWalletDay: { count: number; sum: Cotton }
  /** `WITHDRAWALS_PER_HOUR` and `WITHDRAWN_PER_HOUR`, for all wallets within one hour. */
  perHour: { count: number; sum: Cotton }
  /** `OPEN_WITHDRAWALS_PER_WALLET`: how many withdrawals of a wallet can be open. The next one is refused. */
  openPerWallet: number
}

/** The range in which the operator keeps the treasury's wallet. 0 means no bound. */
export type TreasuryBounds = {
  /** `TREASURY_TOKENS_FLOOR` and `TREASURY_TOKENS_CAP` */
  tokens: { floor: Cotton; cap: Cotton }
  /** `TREASURY_SOL_FLOOR` and `TREASURY_SOL_CAP`, in lamports. */
  lamports: { floor: bigint; cap: bigint }
}

export type WithdrawalSettings = {
  limits: WithdrawalLimits
  treasury: TreasuryBounds
  /** `PRIORITY_FEE_CAP`: the highest priority fee of a payout, in microlamports per compute unit. */
  maxUnitPriceMicrolamports: bigint
}

const LAMPORTS_PER_SOL = 1_000_000_000n

// The defaults, in whole $COTTON, SOL, hours or counts.
const DEFAULTS = {
  WITHDRAWAL_REVIEW_ABOVE: 10_000,
  WITHDRAWAL_NEW_WALLET_HOURS: 72,
  WITHDRAWALS_PER_WALLET_DAY: 5,
  WITHDRAWN_PER_WALLET_DAY: 20_000,
  WITHDRAWALS_PER_HOUR: 100,
  WITHDRAWN_PER_HOUR: 200_000,
  OPEN_WITHDRAWALS_PER_WALLET: 10,
  TREASURY_TOKENS_FLOOR: 100_000,
  TREASURY_TOKENS_CAP: 0,
  TREASURY_SOL_FLOOR: 1,
  TREASURY_SOL_CAP: 50,
  PRIORITY_FEE_CAP: 2_000_000,
}

/** The settings that the signer gets. */
export const WITHDRAWAL_SETTINGS = Object.keys(DEFAULTS)

/** The settings that the api gets: it enforces one of them and states the others in the terms. */
export const WITHDRAWAL_LIMIT_SETTINGS = WITHDRAWAL_SETTINGS.filter((name) => /WITHDRAW/.test(name))

const MAX_VALUE = 1_000_000_000

/** The default of `OPEN_WITHDRAWALS_PER_WALLET`. */
export const DEFAULT_OPEN_PER_WALLET = DEFAULTS.OPEN_WITHDRAWALS_PER_WALLET

/** Reads the settings of withdrawals. A `StartupError` names the invalid variable. */
export function readWithdrawalSettings(env: Record<string, string | undefined>): WithdrawalSettings {
  const readWhole = (name: keyof typeof DEFAULTS): number => {
    const text = env[name]?.trim()
    if (!text) return DEFAULTS[name]
    const value = Number(text)
    if (!/^\d+$/.test(text) || value > MAX_VALUE) {
      throw new StartupError(`${name} is "${text}", which is not a whole number from 0 to ${MAX_VALUE}.`)
    }
    return value
  }
  const feeCap = readWhole('PRIORITY_FEE_CAP')
  if (feeCap > DEFAULTS.PRIORITY_FEE_CAP) {
    throw new StartupError(`PRIORITY_FEE_CAP is at most ${DEFAULTS.PRIORITY_FEE_CAP} microlamports.`)
  }
  const openPerWallet = readWhole('OPEN_WITHDRAWALS_PER_WALLET')
  if (openPerWallet === 0) {
    throw new StartupError(
      'OPEN_WITHDRAWALS_PER_WALLET is at least 1: `ops pause withdrawals` stops them all.',
    )
  }
  const readLamports = (name: keyof typeof DEFAULTS): bigint => BigInt(readWhole(name)) * LAMPORTS_PER_SOL
  return {
    limits: {
      reviewAbove: cotton(readWhole('WITHDRAWAL_REVIEW_ABOVE')),
      newWalletHours: readWhole('WITHDRAWAL_NEW_WALLET_HOURS'),
      perWalletDay: {
        count: readWhole('WITHDRAWALS_PER_WALLET_DAY'),
        sum: cotton(readWhole('WITHDRAWN_PER_WALLET_DAY')),
      },
      perHour: { count: readWhole('WITHDRAWALS_PER_HOUR'), sum: cotton(readWhole('WITHDRAWN_PER_HOUR')) },
      openPerWallet,
    },
    treasury: {
      tokens: {
        floor: cotton(readWhole('TREASURY_TOKENS_FLOOR')),
        cap: cotton(readWhole('TREASURY_TOKENS_CAP')),
      },
      lamports: { floor: readLamports('TREASURY_SOL_FLOOR'), cap: readLamports('TREASURY_SOL_CAP') },
    },
    maxUnitPriceMicrolamports: BigInt(feeCap),
  }
}
