import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { RestoredPanel } from './restored-panel.tsx'

const { noSingleWallet } = pageMessages.books

const render = (wallet: string): string =>
  renderToStaticMarkup(
    <MemoryRouter>
      <RestoredPanel
        restored={[{ signature: 'transaction', wallet, amount: '5', open: '5', isTaken: false }]}
        takeBack={{ payouts: 1, amount: '5' }}
      />
    </MemoryRouter>,
  )

test('a payout that went to no single wallet says so, and leads to no player', () => {
  expect(render('')).toContain(noSingleWallet)
  expect(render('')).not.toContain('href="/players/')
  expect(render('ana')).not.toContain(noSingleWallet)
  expect(render('ana')).toContain('href="/players/ana"')
})
