import { createStore, useStore } from '#web/store.ts'
import { CONTINENTS } from '#game/continents.ts'
import { useSite } from './use-site.ts'

/** Everything that is read of the market; a change of it makes all of this old. */
export const MARKET_KEY = ['market']
export const LISTINGS_KEY = [...MARKET_KEY, 'listings']
export const SALES_KEY = [...MARKET_KEY, 'sales']
export const MY_LISTINGS_KEY = ['mine', 'listings']

/** Whether players may trade, as told since the start; null before the first word. */
export const latestMarketOpen = createStore<boolean | null>(null)

/** On which continents, as told since the start; null before the first word. */
export const latestOpenContinents = createStore<readonly string[] | null>(null)

type MarketState = { open?: boolean; openContinents?: readonly string[] }

/** Applies what the server says of the market. One that names no continents is open on all of them or on none. */
export function applyMarketState({ open, openContinents }: MarketState): void {
  if (typeof open !== 'boolean') return
  latestMarketOpen.set(open)
  latestOpenContinents.set(Array.isArray(openContinents) ? openContinents : open ? CONTINENTS : [])
}

/** Whether players may trade land; undefined until the server has said it. */
export function useMarketOpen(): boolean | undefined {
  const site = useSite()
  return useStore(latestMarketOpen) ?? site?.marketOpen
}

/** The continents where players may trade land; undefined until the server has said it. */
export function useOpenContinents(): readonly string[] | undefined {
  const site = useSite()
  return (
    useStore(latestOpenContinents) ?? (site && (site.openContinents ?? (site.marketOpen ? CONTINENTS : [])))
  )
}
