import { type Cotton, smallerOf } from '#game/cotton.ts'
import { WORKERS } from '#game/workers.ts'

/** The steps of a new player, in order. Tokens and deposit are displayed as one step. */
export const STEPS = ['wallet', 'tokens', 'hire', 'claim'] as const
export type Step = (typeof STEPS)[number] | 'deposit'

/** What is known about a player. Undefined: not loaded yet. `inWallet` is null if the chain cannot be read. */
export type PlayerFacts = {
  loggedIn: boolean
  workers: readonly { claimedGeneratedTokens: Cotton }[] | undefined
  balance: Cotton | undefined
  /** Prices of the pickers that can be hired. */
  prices: readonly Cotton[] | undefined
  inWallet: Cotton | null | undefined
  /** A deposit was sent and is not credited yet: it is neither in the wallet nor in the balance. */
  depositing: boolean
}

/** The player's next step; `finished` after the last one, null while the facts do not decide it. */
export function nextStep({
  loggedIn,
  workers,
  balance,
  prices,
  inWallet,
  depositing,
}: PlayerFacts): Step | 'finished' | null {
  if (!loggedIn) return 'wallet'
  if (!workers) return null
  if (workers.some(({ claimedGeneratedTokens }) => claimedGeneratedTokens > 0n)) return 'finished'
  if (workers.length > 0) return 'claim'
  if (balance === undefined) return null
  const lowest = lowestPrice(prices)
  if (balance >= lowest) return 'hire'
  if (depositing) return 'deposit'
  if (inWallet === undefined) return null
  return inWallet !== null && balance + inWallet >= lowest ? 'deposit' : 'tokens'
}

/** The price of the cheapest picker. */
export function lowestPrice(prices: readonly Cotton[] | undefined): Cotton {
  const [first, ...others] = prices ?? []
  return first === undefined ? WORKERS.kid.price : others.reduce(smallerOf, first)
}

/** The index of a step among the four. */
export const stepIndex = (step: Step): number => STEPS.indexOf(step === 'deposit' ? 'tokens' : step)
