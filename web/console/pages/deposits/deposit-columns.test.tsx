import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DataTable } from '../../ui/data-table.tsx'
import { DEPOSIT_HISTORY_COLUMNS } from './deposit-columns.tsx'

type Row = Parameters<(typeof DEPOSIT_HISTORY_COLUMNS)[number]['cell']>[0]

const ROW: Row = {
  signature: 'signature',
  tokenAccount: 'account',
  wallet: null,
  asset: 'cotton',
  mint: null,
  amount: '1234.5',
  state: 'unclaimed',
  why: null,
  slot: 1,
  seenAt: '2026-01-05T12:00:00.000Z',
  creditedAt: null,
  journalId: null,
}

const render = (row: Partial<Row>): string =>
  renderToStaticMarkup(
    <DataTable
      caption="deposits"
      columns={DEPOSIT_HISTORY_COLUMNS}
      rows={[{ ...ROW, ...row }]}
      keyOf={({ signature }) => signature}
      empty=""
    />,
  )

test('each amount has its unit, and SOL has all of its nine decimals', () => {
  expect(render({})).toContain('>1,234.5 $COTTON<')
  expect(render({ asset: 'sol', amount: '0.00203928' })).toContain('>0.00203928 SOL<')
  expect(render({ asset: 'other_token', mint: 'mint', amount: '5000000' })).toContain(
    '>5,000,000 base units<',
  )
})

test('a deposit of a player that is not credited says why', () => {
  const why = { code: 'sol', sentence: 'SOL, which the game does not credit' }
  expect(render({ why })).toMatch(/>not credited<.*>SOL, which the game does not credit</)
  expect(render({ state: 'credited' })).not.toContain('<p')
})
