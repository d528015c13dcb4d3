import { baseUnits, type Cotton, ZERO } from '#game/cotton.ts'
import { createStore } from '#web/store.ts'

/** The steps of a deposit while the button is busy. */
export type SendStep = 'preparing' | 'signing' | 'sending'

/** A deposit from the connected wallet, as the player sees it. */
export type DepositState =
  | { step: 'idle' }
  | { step: SendStep; amount: Cotton }
  /** Sent and not credited yet. `slow`: the player reads that they can leave the page. */
  | { step: 'waiting'; amount: Cotton; slow: boolean }
  | { step: 'failed'; amount: Cotton; problem: string }
  /** The player stopped waiting for the wallet. Nothing was sent. */
  | { step: 'cancelled'; amount: Cotton }
  /** Credited; the balance has it. */
  | { step: 'arrived'; amount: Cotton }

/** Whether a deposit has been started and is not credited yet. */
export const isRunning = (
  deposit: DepositState,
): deposit is Extract<DepositState, { step: SendStep | 'waiting' }> =>
  !['idle', 'failed', 'cancelled', 'arrived'].includes(deposit.step)

/** Whether the wallet has not signed yet. It may never answer. */
export const isCancellable = ({ step }: DepositState): boolean => step === 'preparing' || step === 'signing'

type Sent = {
  wallet: string | null
  shown: Exclude<DepositState, { step: 'waiting' }> | { step: 'waiting'; amount: Cotton }
  /** Sent and not credited yet, over several deposits. */
  outstanding: Cotton
  credited: Cotton
  since: number
  /** Whether the newest one was sent from the first steps, which go on once it is credited. */
  fromGuide: boolean
}

const NOTHING: Sent = {
  wallet: null,
  shown: { step: 'idle' },
  outstanding: ZERO,
  credited: ZERO,
  since: 0,
  fromGuide: false,
}

/** One store for every component, so that a change of page neither hides nor repeats a deposit. */
export const sentDeposits = createStore<Sent>(NOTHING)

/** What was sent from this wallet. A deposit of another player is not shown. */
export const sentFrom = (sent: Sent, wallet: string | null): Sent =>
  sent.wallet === wallet ? sent : { ...NOTHING, wallet }

export function showDeposit(wallet: string | null, shown: Sent['shown']): void {
  sentDeposits.set({ ...sentFrom(sentDeposits.get(), wallet), shown })
}

/** Puts the shown deposit away if it is credited. Another one stays. */
export function forgetArrived(wallet: string | null): void {
  if (sentFrom(sentDeposits.get(), wallet).shown.step === 'arrived') showDeposit(wallet, { step: 'idle' })
}

/** Records that an amount is on its way to the game. */
export function recordSent(
  wallet: string | null,
  amount: Cotton,
  now: number,
  { fromGuide = false } = {},
): void {
  const sent = sentFrom(sentDeposits.get(), wallet)
  const outstanding = baseUnits(sent.outstanding + amount)
  const credited = sent.outstanding > 0n ? sent.credited : ZERO
  sentDeposits.set({
    wallet,
    shown: { step: 'waiting', amount: outstanding },
    outstanding,
    credited,
    since: now,
    fromGuide,
  })
}

/** Records a credited deposit. Without an outstanding one it came from elsewhere, and nothing is shown here. */
export function recordCredited(wallet: string | null, amount: Cotton): void {
  const sent = sentFrom(sentDeposits.get(), wallet)
  if (sent.outstanding <= 0n) return
  const left = baseUnits(sent.outstanding - amount)
  const credited = baseUnits(sent.credited + amount)
  const next = { ...sent, credited, outstanding: left > 0n ? left : ZERO }
  if (sent.shown.step !== 'waiting') sentDeposits.set(next)
  else if (left > 0n) sentDeposits.set({ ...next, shown: { step: 'waiting', amount: left } })
  // The deposit box would show the arrival in place of its form, at whatever visit.
  else if (sent.fromGuide) sentDeposits.set({ ...next, shown: { step: 'idle' } })
  else sentDeposits.set({ ...next, shown: { step: 'arrived', amount: credited } })
}

/** Stops waiting for what is neither credited nor on the chain: it was not sent, or its credit was reported elsewhere. */
export function recordLost(wallet: string | null, problem: string): void {
  const sent = sentFrom(sentDeposits.get(), wallet)
  const next = { ...sent, outstanding: ZERO }
  if (sent.shown.step !== 'waiting') sentDeposits.set(next)
  else sentDeposits.set({ ...next, shown: { step: 'failed', amount: sent.outstanding, problem } })
}
