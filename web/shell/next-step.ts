import { toWire } from '#game/cotton.ts'
import { WORKERS } from '#game/workers.ts'

/** What a newcomer does, in order; tokens and deposit are one step to the eye. */
export const STEPS = ['wallet', 'tokens', 'hire', 'claim'] as const
export type Step = (typeof STEPS)[number] | 'deposit'

/** What is known of a player. Undefined: not known yet; `inWallet` is null where the chain does not say. */
export type PlayerFacts = {
  loggedIn: boolean
  workers: readonly { claimedGeneratedTokens: number }[] | undefined
  balance: number | undefined
  /** Prices of the pickers that can be hired. */
  prices: readonly number[] | undefined
  inWallet: number | null | undefined
}

/** The next thing to do; `finished` for who has done it all, null while that is not known. */
export function nextStep({
  loggedIn,
  workers,
  balance,
  prices,
  inWallet,
}: PlayerFacts): Step | 'finished' | null {
  if (!loggedIn) return 'wallet'
  if (!workers) return null
  if (workers.some(({ claimedGeneratedTokens }) => claimedGeneratedTokens > 0)) return 'finished'
  if (workers.length > 0) return 'claim'
  if (balance === undefined) return null
  const lowest = lowestPrice(prices)
  if (balance >= lowest) return 'hire'
  if (inWallet === undefined) return null
  return inWallet !== null && balance + inWallet >= lowest ? 'deposit' : 'tokens'
}

/** What the cheapest picker costs. */
export function lowestPrice(prices: readonly number[] | undefined): number {
  return prices && prices.length > 0 ? Math.min(...prices) : toWire(WORKERS.kid.price)
}

/** The place of a step among the four. */
export const stepIndex = (step: Step): number => STEPS.indexOf(step === 'deposit' ? 'tokens' : step)
