import { type Cotton, cotton } from '#game/cotton.ts'
import { LAMPORTS_PER_SOL } from './format-sol.ts'
import { parseCount, parseWhole, readSetting, setting } from './setting.ts'
import { StartupError } from './startup-error.ts'

/** The limits of withdrawals. A withdrawal above one of them waits for an operator. */
export type WithdrawalLimits = {
  /** `WITHDRAWAL_REVIEW_ABOVE`, for one withdrawal. */
  reviewAbove: Cotton
  /** `WITHDRAWAL_NEW_WALLET_HOURS`: how long a wallet counts as new. */
  newWalletHours: number
  /** `WITHDRAWALS_PER_WALLET_DAY` and `WITHDRAWN_PER_WALLET_DAY`, for one wallet within 24 hours. */
  perWalletDay: { count: number; sum: Cotton }
  /** `WITHDRAWALS_PER_HOUR` and `WITHDRAWN_PER_HOUR`, for all wallets within one hour. */
  perHour: { count: number; sum: Cotton }
  /** `OPEN_WITHDRAWALS_PER_WALLET`: how many may be neither paid nor refunded. The next one is refused. */
  openPerWallet: number
}

/** The bounds of the treasury's balance. 0 stands for no bound. */
export type TreasuryBounds = {
  /** `TREASURY_TOKENS_FLOOR` and `TREASURY_TOKENS_CAP` */
  tokens: { floor: Cotton; cap: Cotton }
  /** `TREASURY_SOL_FLOOR` and `TREASURY_SOL_CAP`, in lamports. */
  lamports: { floor: bigint; cap: bigint }
}

export type WithdrawalSettings = {
  limits: WithdrawalLimits
  treasury: TreasuryBounds
  /** `PRIORITY_FEE_CAP`: the highest fee of what the treasury pays for, in microlamports per compute unit. */
  maxUnitPriceMicrolamports: bigint
  /** `PAYOUT_LANES`: how many payouts may be in flight at once. */
  payoutLanes: number
}

/** The highest value of `PAYOUT_LANES` in any version: a signer looks for the nonce accounts of so many lanes. */
export const MAX_PAYOUT_LANES = 32

export const TREASURY_SETTINGS = {
  TREASURY_TOKENS_FLOOR: setting({
    parse: parseWhole,
    default: 100_000,
    roles: ['signer'],
    description:
      'Balance in whole $COTTON below which the treasury asks for a top-up. 0 turns the check off.',
  }),
  TREASURY_TOKENS_CAP: setting({
    parse: parseWhole,
    default: 0,
    roles: ['signer'],
    description:
      'Balance in whole $COTTON above which some should move to cold storage. 0 turns the check off.',
  }),
  TREASURY_SOL_FLOOR: setting({
    parse: parseWhole,
    default: 1,
    roles: ['signer'],
    description:
      'Balance in SOL below which the treasury asks for a top-up. SOL pays the transaction fees. 0 turns the check off.',
  }),
  TREASURY_SOL_CAP: setting({
    parse: parseWhole,
    default: 50,
    roles: ['signer'],
    description: 'Balance in SOL above which some should move to cold storage. 0 turns the check off.',
  }),
  PRIORITY_FEE_CAP: setting({
    parse: parseWhole,
    default: 2_000_000,
    roles: ['signer'],
    description:
      'Highest priority fee of a payout, sweep or advance of a nonce, in microlamports per compute unit. The default is also the maximum.',
  }),
  PAYOUT_LANES: setting({
    parse: parseCount,
    default: 4,
    roles: ['signer'],
    description:
      'How many payouts may be in flight at once (1 to 32). A payout is in flight until it is final, about 15 s, so 4 pay about 15 a minute. Each lane needs a nonce account once, for about 0.0015 SOL. You may raise and lower it.',
  }),
} as const

export const LIMIT_SETTINGS = {
  WITHDRAWAL_REVIEW_ABOVE: setting({
    parse: parseWhole,
    default: 10_000,
    roles: ['api', 'signer'],
    description: 'Amount of one withdrawal, in whole $COTTON.',
  }),
  WITHDRAWAL_NEW_WALLET_HOURS: setting({
    parse: parseWhole,
    default: 72,
    roles: ['api', 'signer'],
    description: 'How long a wallet counts as new, in hours.',
  }),
  WITHDRAWALS_PER_WALLET_DAY: setting({
    parse: parseWhole,
    default: 5,
    roles: ['api', 'signer'],
    description:
      'Withdrawals of one wallet within 24 hours, with those that its player cancels and those that the chain rejects.',
  }),
  WITHDRAWN_PER_WALLET_DAY: setting({
    parse: parseWhole,
    default: 20_000,
    roles: ['api', 'signer'],
    description: 'Whole $COTTON withdrawn by one wallet within 24 hours.',
  }),
  WITHDRAWALS_PER_HOUR: setting({
    parse: parseWhole,
    default: 100,
    roles: ['api', 'signer'],
    description: 'Withdrawals paid to all wallets within an hour.',
  }),
  WITHDRAWN_PER_HOUR: setting({
    parse: parseWhole,
    default: 200_000,
    roles: ['api', 'signer'],
    description: 'Whole $COTTON paid to all wallets within an hour.',
  }),
  OPEN_WITHDRAWALS_PER_WALLET: setting({
    parse: parseWhole,
    default: 10,
    roles: ['api', 'signer'],
    description: 'Withdrawals of one wallet that are neither paid nor refunded.',
  }),
} as const

export const DEFAULT_OPEN_PER_WALLET = LIMIT_SETTINGS.OPEN_WITHDRAWALS_PER_WALLET.default

const TABLE = { ...TREASURY_SETTINGS, ...LIMIT_SETTINGS }

/** The settings of withdrawals. A `StartupError` names the variable that is wrong. */
export function readWithdrawalSettings(env: Record<string, string | undefined>): WithdrawalSettings {
  const readWhole = (name: keyof typeof TABLE): number => readSetting(env, name, TABLE[name])
  const readCotton = (name: keyof typeof TABLE): Cotton => cotton(readWhole(name))
  const readLamports = (name: keyof typeof TABLE): bigint => BigInt(readWhole(name)) * LAMPORTS_PER_SOL
  const feeCap = readWhole('PRIORITY_FEE_CAP')
  const maxFeeCap = TABLE.PRIORITY_FEE_CAP.default
  if (feeCap > maxFeeCap) throw new StartupError(`PRIORITY_FEE_CAP is at most ${maxFeeCap} microlamports.`)
  const openPerWallet = readWhole('OPEN_WITHDRAWALS_PER_WALLET')
  if (openPerWallet === 0) {
    throw new StartupError(
      'OPEN_WITHDRAWALS_PER_WALLET is at least 1: `ops pause withdrawals` stops them all.',
    )
  }
  const payoutLanes = readWhole('PAYOUT_LANES')
  if (payoutLanes > MAX_PAYOUT_LANES) throw new StartupError(`PAYOUT_LANES is at most ${MAX_PAYOUT_LANES}.`)
  return {
    payoutLanes,
    limits: {
      reviewAbove: readCotton('WITHDRAWAL_REVIEW_ABOVE'),
      newWalletHours: readWhole('WITHDRAWAL_NEW_WALLET_HOURS'),
      perWalletDay: {
        count: readWhole('WITHDRAWALS_PER_WALLET_DAY'),
        sum: readCotton('WITHDRAWN_PER_WALLET_DAY'),
      },
      perHour: { count: readWhole('WITHDRAWALS_PER_HOUR'), sum: readCotton('WITHDRAWN_PER_HOUR') },
      openPerWallet,
    },
    treasury: {
      tokens: {
        floor: readCotton('TREASURY_TOKENS_FLOOR'),
        cap: readCotton('TREASURY_TOKENS_CAP'),
      },
      lamports: { floor: readLamports('TREASURY_SOL_FLOOR'), cap: readLamports('TREASURY_SOL_CAP') },
    },
    maxUnitPriceMicrolamports: BigInt(feeCap),
  }
}
