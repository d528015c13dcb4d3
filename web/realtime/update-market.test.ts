import { QueryClient } from '@tanstack/react-query'
import '#web/api/browser-stand-in.ts'
import { expect, test } from 'vitest'
import {
  LISTINGS_KEY,
  marketOpenNews,
  MY_LISTINGS_KEY,
  openContinentsNews,
  SALES_KEY,
} from '#web/api/use-market-open.ts'
import { OWNED_LAND_KEY } from '#web/api/use-owned-land.ts'
import { updateMarket } from './update-market.ts'

test('news of the market opens and closes it, and make all that was read of it old', () => {
  const client = new QueryClient()
  const keys = [
    LISTINGS_KEY,
    [...SALES_KEY, 'EU-FR'],
    [...MY_LISTINGS_KEY, 'wallet'],
    [...OWNED_LAND_KEY, 'wallet'],
  ]
  for (const key of [...keys, ['user', 'wallet']]) client.setQueryData(key, [])
  const isOld = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated

  expect(marketOpenNews.get()).toBeNull()
  updateMarket(client, { open: true, openContinents: ['EU'], active: 3 })
  expect(marketOpenNews.get()).toBe(true)
  expect(openContinentsNews.get()).toEqual(['EU'])
  expect(keys.map(isOld)).toEqual([true, true, true, true])
  // Every player hears of every trade; only those who took part need their balance anew.
  expect(isOld(['user', 'wallet'])).toBe(false)
  updateMarket(client, { open: false, openContinents: [], active: 3 })
  expect(marketOpenNews.get()).toBe(false)
  expect(openContinentsNews.get()).toEqual([])
})
