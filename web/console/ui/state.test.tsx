import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Read } from './state.tsx'

const render = (data: string | undefined, error: Error | null): string =>
  renderToStaticMarkup(
    <Read of={{ data, error, refetch: () => undefined }}>{(content) => <p>{content}</p>}</Read>,
  )

test('content that could not be read again stays, and says that it may be out of date', () => {
  const failed = new Error('The database is not answering.')
  const outdated = 'This could not be read. What is shown here may be out of date.'
  expect(render('12 open', failed)).toMatch(new RegExp(`${outdated}.*<p>12 open</p>`))
  expect(render('12 open', null)).toBe('<p>12 open</p>')
  expect(render(undefined, failed)).not.toContain(outdated)
})
