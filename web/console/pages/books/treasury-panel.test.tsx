import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { TreasuryPanel } from './treasury-panel.tsx'

const { enough, noTreasury } = pageMessages.books
const TREASURY = {
  address: 'a',
  mint: 'm',
  tokens: '5',
  sol: '1',
  at: '2026-01-05T12:00:00.000Z',
  alarms: [],
}

const render = (treasury: typeof TREASURY | null, missing: string): string =>
  renderToStaticMarkup(<TreasuryPanel treasury={treasury} topUp={{ owed: '7', missing }} />)

test('a treasury that was never read is not said to have enough', () => {
  expect(render(null, '0')).toContain(noTreasury)
  expect(render(null, '0')).not.toContain(enough)
  expect(render(TREASURY, '0')).toContain(enough)
  expect(render(TREASURY, '2')).toContain('Send 2 $COTTON')
})
