import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { ActivityPanel } from './activity-panel.tsx'

const read = vi.hoisted(() => ({ isPlaceholderData: false }))

vi.mock('../../api/queries.ts', () => {
  const counts = { players: 0, newPlayers: 0, claims: 0, hires: 0, parcels: 0, resales: 0 }
  const point = { ...counts, volume: '0', withdrawn: '0' }
  const points = ['2500.7', '0.1', '0.2'].map((deposited, index) => ({
    ...point,
    deposited,
    at: `2026-01-05T${10 + index}:00:00.000Z`,
  }))
  return { useRead: () => ({ data: { points }, error: null, refetch: () => undefined, ...read }) }
})

function render(isPlaceholderData: boolean): string {
  read.isPlaceholderData = isPlaceholderData
  return renderToStaticMarkup(
    <MemoryRouter initialEntries={['/?span=month']}>
      <ActivityPanel />
    </MemoryRouter>,
  )
}

test('the total of a chart is the sum of its exact amounts', () => {
  expect(render(false)).toContain('>total: 2,501<')
})

test('hours are not shown as days while the 30 days are still being read', () => {
  const hour = />\d\d:\d\d/
  expect(render(true)).toMatch(hour)
  expect(render(true)).toContain('>Loading</output>')
  expect(render(false)).not.toMatch(hour)
  expect(render(false)).not.toContain('Loading')
})
