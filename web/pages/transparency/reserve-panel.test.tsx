import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cotton, ZERO } from '#game/cotton.ts'
import type { Reserve } from '#web/api/use-transparency.ts'
import { transparencyMessages as text } from '#web/messages/en-transparency.ts'
import { ReservePanel } from './reserve-panel.tsx'

const RESERVE: Reserve = {
  standing: 'covered',
  at: '2026-11-20T09:12:00.000Z',
  slot: 5,
  treasury: cotton(5),
  cold: ZERO,
  coldWallets: [],
  depositAccounts: ZERO,
  inFlight: ZERO,
  tokens: cotton(5),
  owed: cotton(5),
}
const SUPPLY = { deposited: cotton(5), earned: ZERO, pool: ZERO, held: ZERO }

const renderStanding = (standing: string): string =>
  renderToStaticMarkup(
    <ReservePanel reserve={{ ...RESERVE, standing: standing as 'covered' }} supply={SUPPLY} />,
  )

test('a standing of the reserve that only a newer server knows does not read as covered', () => {
  expect(renderStanding('covered')).toContain(text.covered)
  const newer = renderStanding('disputed')
  expect(newer).not.toContain(text.covered)
  expect(newer).toContain(text.unseen)
})

test('a check that found too few tokens does not read as covered while no other has confirmed it', () => {
  const short = renderStanding('unconfirmed')
  expect(short).not.toContain(text.covered)
  expect(short).toContain(text.unconfirmed)
})
