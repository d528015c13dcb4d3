import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StandingBadge } from './standing-badge.tsx'

test('a shortage that is not confirmed does not read as covered', () => {
  const show = (surplus: string | null) =>
    renderToStaticMarkup(<StandingBadge standing="covered" surplus={surplus} />)
  for (const surplus of [null, '0', '5']) expect(show(surplus)).toContain('>covered<')
  expect(show('-0.5')).toContain('>shortage not confirmed<')
})
