import { createStore, useStore } from '#web/store.ts'
import { CONTINENTS } from '#game/continents.ts'
import { useSite } from './use-site.ts'

/** The prefix of all queries of the market. A change of the market invalidates them. */
export const MARKET_KEY = ['market']
export const LISTINGS_KEY = [...MARKET_KEY, 'listings']
export const SALES_KEY = [...MARKET_KEY, 'sales']
export const MY_LISTINGS_KEY = ['mine', 'listings']

/** Whether the market is open, by the latest message or reply; null before the first. */
export const latestMarketOpen = createStore<boolean | null>(null)

/** The continents where it is open, by the latest message or reply; null before the first. */
export const latestOpenContinents = createStore<readonly string[] | null>(null)

type MarketState = { open?: boolean; openContinents?: readonly string[] }

/** Applies the state of the market. Without a list of continents it is open on all of them or on none. */
export function applyMarketState({ open, openContinents }: MarketState): void {
  if (typeof open !== 'boolean') return
  latestMarketOpen.set(open)
  latestOpenContinents.set(Array.isArray(openContinents) ? openContinents : open ? CONTINENTS : [])
}

/** Whether players can trade land; undefined until it has been read. */
export function useMarketOpen(): boolean | undefined {
  const site = useSite()
  return useStore(latestMarketOpen) ?? site?.marketOpen
}

/** The continents where players can trade land; undefined until they have been read. */
export function useOpenContinents(): readonly string[] | undefined {
  const site = useSite()
  return (
    useStore(latestOpenContinents) ?? (site && (site.openContinents ?? (site.marketOpen ? CONTINENTS : [])))
  )
}
