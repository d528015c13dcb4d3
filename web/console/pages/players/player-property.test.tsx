import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { WorkersPanel } from './player-property.tsx'

const render = (moreWorkers: boolean): string =>
  renderToStaticMarkup(<WorkersPanel workers={[]} moreWorkers={moreWorkers} />)

test('sums that leave out pickers say so', () => {
  const { moreWorkers } = pageMessages.player
  expect(render(true)).toContain(moreWorkers)
  expect(render(false)).not.toContain(moreWorkers)
})
