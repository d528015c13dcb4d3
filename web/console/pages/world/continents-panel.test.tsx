import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { consoleMessages } from '#web/messages/en-console.ts'
import { ContinentsPanel } from './continents-panel.tsx'

type Props = Parameters<typeof ContinentsPanel>[0]

const EUROPE: Props['continents'][number] = {
  code: 'EU',
  name: 'Europe',
  startPrice: '5',
  price: '5',
  owned: 0,
  offered: 40,
  excluded: [],
  activeListings: 0,
  marketOpen: false,
  openedEarly: false,
}

test('a missing right is named once for all markets, and not where no market has a button', () => {
  const timesNamed = (marketMode: Props['marketMode'], continents: Props['continents']): number => {
    const html = renderToStaticMarkup(<ContinentsPanel {...{ marketMode, continents }} />)
    return html.split(`>${consoleMessages.noRight('settings')}<`).length - 1
  }
  const closed: Props['continents'] = [EUROPE, { ...EUROPE, code: 'AS', name: 'Asia' }]
  expect(timesNamed('auto', closed)).toBe(1)
  expect(timesNamed('closed', closed)).toBe(0)
  expect(timesNamed('auto', [{ ...EUROPE, marketOpen: true }])).toBe(0)
})
