import { type Cotton, cotton } from '#game/cotton.ts'
import { StartProblem } from './start-problem.ts'

/** How much may leave how fast. What is above one of the paces is not refused: a person looks at it first. */
export type WithdrawalLimits = {
  /** `WITHDRAWAL_REVIEW_ABOVE`, in one withdrawal. */
  reviewAbove: Cotton
  /** `WITHDRAWAL_NEW_WALLET_HOURS`: how long a wallet is a new one. */
  newWalletHours: number
  /** `WITHDRAWALS_PER_WALLET_DAY` and `WITHDRAWN_PER_WALLET_DAY`, of one wallet within 24 hours. */
  perWalletDay: { count: number; sum: Cotton }
  /** `WITHDRAWALS_PER_HOUR` and `WITHDRAWN_PER_HOUR`, of all wallets within an hour. */
  perHour: { count: number; sum: Cotton }
  /** `OPEN_WITHDRAWALS_PER_WALLET`: how many of one wallet may be neither paid nor refunded; the next is refused. */
  openPerWallet: number
}

/** Between these the treasury's own wallet is kept; 0 stands for no bound. */
export type TreasuryBounds = {
  /** `TREASURY_TOKENS_FLOOR` and `TREASURY_TOKENS_CAP` */
  tokens: { floor: Cotton; cap: Cotton }
  /** `TREASURY_SOL_FLOOR` and `TREASURY_SOL_CAP`, lamports here. */
  lamports: { floor: bigint; cap: bigint }
}

export type WithdrawalSettings = {
  limits: WithdrawalLimits
  treasury: TreasuryBounds
  /** `PRIORITY_FEE_CAP`: what a payout offers at most to be early, microlamports a compute unit. */
  highestUnitPrice: bigint
}

const LAMPORTS_PER_SOL = 1_000_000_000n

// Every name with what it is where nothing is set, in whole $COTTON, SOL, hours or pieces.
const STANDARD = {
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

/** What the signer is handed on, beside its keys. */
export const WITHDRAWAL_SETTINGS = Object.keys(STANDARD)

/** Of these, what the api is handed on: it refuses by one of them and tells players of the others. */
export const WITHDRAWAL_LIMIT_SETTINGS = WITHDRAWAL_SETTINGS.filter((name) => /WITHDRAW/.test(name))

const MOST = 1_000_000_000

/** `OPEN_WITHDRAWALS_PER_WALLET` where nobody has set it. */
export const OPEN_PER_WALLET = STANDARD.OPEN_WITHDRAWALS_PER_WALLET

/** The settings about withdrawals. A `StartProblem` names the variable that is wrong. */
export function readWithdrawalSettings(env: Record<string, string | undefined>): WithdrawalSettings {
  const whole = (name: keyof typeof STANDARD): number => {
    const text = env[name]?.trim()
    if (!text) return STANDARD[name]
    const value = Number(text)
    if (!/^\d+$/.test(text) || value > MOST) {
      throw new StartProblem(`${name} is "${text}", which is not a whole number from 0 to ${MOST}.`)
    }
    return value
  }
  const highest = whole('PRIORITY_FEE_CAP')
  if (highest > STANDARD.PRIORITY_FEE_CAP) {
    throw new StartProblem(`PRIORITY_FEE_CAP is at most ${STANDARD.PRIORITY_FEE_CAP} microlamports.`)
  }
  const openPerWallet = whole('OPEN_WITHDRAWALS_PER_WALLET')
  if (openPerWallet === 0) {
    throw new StartProblem(
      'OPEN_WITHDRAWALS_PER_WALLET is at least 1: `ops pause withdrawals` stops them all.',
    )
  }
  const sol = (name: keyof typeof STANDARD): bigint => BigInt(whole(name)) * LAMPORTS_PER_SOL
  return {
    limits: {
      reviewAbove: cotton(whole('WITHDRAWAL_REVIEW_ABOVE')),
      newWalletHours: whole('WITHDRAWAL_NEW_WALLET_HOURS'),
      perWalletDay: {
        count: whole('WITHDRAWALS_PER_WALLET_DAY'),
        sum: cotton(whole('WITHDRAWN_PER_WALLET_DAY')),
      },
      perHour: { count: whole('WITHDRAWALS_PER_HOUR'), sum: cotton(whole('WITHDRAWN_PER_HOUR')) },
      openPerWallet,
    },
    treasury: {
      tokens: {
        floor: cotton(whole('TREASURY_TOKENS_FLOOR')),
        cap: cotton(whole('TREASURY_TOKENS_CAP')),
      },
      lamports: { floor: sol('TREASURY_SOL_FLOOR'), cap: sol('TREASURY_SOL_CAP') },
    },
    highestUnitPrice: BigInt(highest),
  }
}
