import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { MOST_RESTORED } from '#contract/console/books.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { RestoredPanel } from './restored-panel.tsx'

const { noSingleWallet } = pageMessages.books

const render = (wallet: string, count = 1): string =>
  renderToStaticMarkup(
    <MemoryRouter>
      <RestoredPanel
        restored={Array.from({ length: count }, (_, index) => ({
          signature: `transaction ${index}`,
          wallet,
          amount: '5',
          open: '5',
          isTaken: false,
        }))}
        takeBack={{ payouts: count, amount: '5' }}
      />
    </MemoryRouter>,
  )

test('a payout that went to no single wallet says so, and leads to no player', () => {
  expect(render('')).toContain(noSingleWallet)
  expect(render('')).not.toContain('href="/players/')
  expect(render('ana')).not.toContain(noSingleWallet)
  expect(render('ana')).toContain('href="/players/ana"')
})

test('a list of forgotten payouts that may have left out some says so', () => {
  expect(render('ana', MOST_RESTORED - 1)).toContain('>Payouts missing from the ledger after a restore</h2>')
  expect(render('ana', MOST_RESTORED)).toContain(
    '>The first 200 payouts missing from the ledger after a restore</h2>',
  )
})

test('a missing right is named once for all forgotten payouts', () => {
  const missing = consoleMessages.noRight('adjust')
  expect(render('ana', 3).split(`>${missing}<`)).toHaveLength(2)
})
