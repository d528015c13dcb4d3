import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { applyStats } from '#web/realtime/land-changes.ts'
import { updateWorld, useContinentState } from '#web/realtime/world-state.ts'
import { useContinentPrice } from './use-continent-price.ts'

const { reads } = vi.hoisted(() => ({ reads: [] as (() => unknown)[] }))

// React reads again after each change, and renders a component only if the result is another one.
vi.mock('react', async (load) => ({
  ...(await load<object>()),
  useSyncExternalStore: (_subscribe: unknown, read: () => unknown) => {
    reads.push(read)
    return read()
  },
}))

const saleIn = (code: string, version: number) =>
  updateWorld((world) =>
    applyStats(world, { [code]: { owned: version, total: 50, currentPrice: 100 + version, version } }),
  )

test('a sale on a continent renders nothing that shows another one', () => {
  const Page = () => {
    useContinentState('AF')
    useContinentPrice('AF')
    return null
  }
  renderToStaticMarkup(<Page />)
  const readAll = () => reads.map((read) => read())
  saleIn('AF', 1)
  const before = readAll()
  expect(before[1]).toBe(cotton(101))
  saleIn('EU', 1)
  expect(readAll().every((result, at) => result === before[at])).toBe(true)
  saleIn('AF', 2)
  expect(readAll().some((result, at) => result === before[at])).toBe(false)
})
