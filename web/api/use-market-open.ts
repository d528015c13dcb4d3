import { createStore, useStore } from '#web/store.ts'
import { useSite } from './use-site.ts'

/** Everything that is read of the market; a change of it makes all of this old. */
export const MARKET_KEY = ['market']
export const LISTINGS_KEY = [...MARKET_KEY, 'listings']
export const SALES_KEY = [...MARKET_KEY, 'sales']
export const MY_LISTINGS_KEY = ['mine', 'listings']

/** Whether players may trade, as told since the start; null before the first word. */
export const marketOpenNews = createStore<boolean | null>(null)

/** Whether players may trade land; undefined until the server has said it. */
export function useMarketOpen(): boolean | undefined {
  const site = useSite()
  return useStore(marketOpenNews) ?? site?.marketOpen
}
