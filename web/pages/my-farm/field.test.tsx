import '#web/api/browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cotton, ZERO } from '#game/cotton.ts'
import type { Plot } from './plots.ts'
import type { FarmClaim } from './use-claim.ts'

const { Field } = await import('./field.tsx')

const KIDS: Plot = { type: 'kid', name: 'Kid', count: 2, ratePerHour: 10_000, claimable: cotton(12) }

/** A claim of everything that another component has started. The farm has recorded no fields for it. */
const CLAIMING: FarmClaim = {
  claim: () => undefined,
  claiming: true,
  resting: false,
  harvest: null,
  types: [],
}

const renderField = (plot: Plot, everything = CLAIMING): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <Field plot={plot} column={0} everything={everything} />
    </QueryClientProvider>,
  )

test('a field with something to claim is busy while the summary of an absence claims everything', () => {
  const field = renderField(KIDS)
  expect(field).toContain('<span>CLAIMING</span>')
  expect(field).toContain('aria-busy="true"')
  expect(renderField({ ...KIDS, claimable: ZERO })).not.toContain('CLAIMING')
})

test('a field is busy until the claim of everything is answered, also if its workers are read meanwhile', () => {
  const claimed = { ...KIDS, claimable: ZERO }
  expect(renderField(claimed, { ...CLAIMING, types: ['kid'] })).toContain('<span>CLAIMING</span>')
})
