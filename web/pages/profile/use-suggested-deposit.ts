import type { Cotton } from '#game/cotton.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { useChain } from '#web/api/use-chain.ts'
import { suggestDeposit } from '#web/deposits/suggest-deposit.ts'
import { useCheapestPicker } from './use-cheapest-picker.ts'

/** The amount that the form starts with; undefined until everything that it depends on is known. */
export function useSuggestedDeposit(inWallet: Cotton | undefined): Cotton | undefined {
  const balance = useBalance()
  const cluster = useChain()?.cluster
  const { price } = useCheapestPicker()
  if (!inWallet || balance === undefined || cluster === undefined) return undefined
  return suggestDeposit({ inWallet, balance, price, isTest: cluster === 'local' })
}
