import { QueryClient } from '@tanstack/react-query'
import '#web/api/browser-stub.ts'
import { expect, test } from 'vitest'
import {
  LISTINGS_KEY,
  latestMarketOpen,
  MY_LISTINGS_KEY,
  latestOpenContinents,
  SALES_KEY,
} from '#web/api/use-market-open.ts'
import { OWNED_LAND_KEY } from '#web/api/use-owned-land.ts'
import { updateMarket } from './update-market.ts'

test('a change of the market opens or closes it and invalidates its queries (S-96)', () => {
  const client = new QueryClient()
  const keys = [
    LISTINGS_KEY,
    [...SALES_KEY, 'EU-FR'],
    [...MY_LISTINGS_KEY, 'wallet'],
    [...OWNED_LAND_KEY, 'wallet'],
  ]
  for (const key of [...keys, ['user', 'wallet']]) client.setQueryData(key, [])
  const isOld = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated

  expect(latestMarketOpen.get()).toBeNull()
  updateMarket(client, { open: true, openContinents: ['EU'], active: 3 })
  expect(latestMarketOpen.get()).toBe(true)
  expect(latestOpenContinents.get()).toEqual(['EU'])
  expect(keys.map(isOld)).toEqual([true, true, true, true])
  // Every player receives every trade; only buyer and seller must read their balance again.
  expect(isOld(['user', 'wallet'])).toBe(false)
  updateMarket(client, { open: false, openContinents: [], active: 3 })
  expect(latestMarketOpen.get()).toBe(false)
  expect(latestOpenContinents.get()).toEqual([])
})
