import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { ActTable } from './act-table.tsx'

const WALLET = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'

function render(kind: string, details: object, outcome: string | null = null): string {
  const at = '2026-01-05T12:00:00.000Z'
  const act = { nonce: 'nonce', kind, withdrawalId: null, operator: WALLET, name: 'Ana', at, expiresAt: at }
  const waiting = { state: 'waiting', outcome, doneAt: null, details: JSON.stringify(details) } as const
  return renderToStaticMarkup(
    <MemoryRouter>
      <ActTable acts={[{ ...act, ...waiting }]} caption="acts" empty="" />
    </MemoryRouter>,
  )
}

test('an act that waits says what it is about', () => {
  const adjust = { kind: 'adjust', creditClass: 'earned', wallet: WALLET, amount: '-1250.5', reason: 'Why.' }
  const html = render('adjust', adjust)
  expect(html).toContain('-1,250.5 $COTTON')
  expect(html).toContain(`href="/players/${WALLET}"`)
  const market = { kind: 'market', what: 'open', continent: 'EU', reason: 'An event.' }
  expect(render('market', market)).toContain('Europe: open')
})

test('an act that waits says why, once the signer has tried it', () => {
  const fund = { kind: 'fund', amount: '5', reason: 'Why.' }
  expect(render('fund', fund)).toContain(actMessages.waitingText)
  const html = render('fund', fund, 'No Solana node answers')
  expect(html).toContain('No Solana node answers')
  expect(html).not.toContain(actMessages.waitingText)
})

test('an act that cannot be read is named by its kind', () => {
  const html = render('adjust', { kind: 'adjust', wallet: WALLET })
  expect(html).toContain(actMessages.kinds.adjust)
  expect(html).not.toContain('href=')
})
