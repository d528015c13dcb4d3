import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ReservePanel } from './reserve-panel.tsx'

const AMOUNTS = { tokens: '5', owed: '4', surplus: '1', treasury: '5', cold: '0', inFlight: '0' }

test('a slot has thousands separators, as on the page of the open books', () => {
  const checked = { standing: 'covered', at: '2026-01-05T12:00:00.000Z', slot: 345_678_901 } as const
  const html = renderToStaticMarkup(
    <ReservePanel reserve={{ ...checked, ...AMOUNTS, depositAccounts: '0', coldWallets: [] }} />,
  )
  expect(html).toContain('<dt>Slot</dt><dd>345,678,901</dd>')
})
