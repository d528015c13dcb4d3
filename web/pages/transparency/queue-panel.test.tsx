import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { QueuePanel } from './queue-panel.tsx'

const renderState = (state: string): string => {
  const waiting = { state: state as 'sent', count: 1, amount: cotton(5), oldest: '2026-11-20T09:12:00.000Z' }
  return renderToStaticMarkup(<QueuePanel queue={[waiting]} pause={null} />)
}

test('a state of withdrawals that only a newer server knows has a picture, and its code as its name', () => {
  expect(renderState('sent')).toMatch(/<img src="[^>]*><span><b>On their way<\/b>/)
  expect(renderState('queued')).toMatch(/<img src="[^>]*><span><b>queued<\/b>/)
})
