import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TextField } from './field.tsx'

const render = (error: string | null): string =>
  renderToStaticMarkup(
    <TextField label="Reason" hint="It goes to the log." value="" onChange={() => undefined} error={error} />,
  )

test('a screen reader announces what is wrong with a field, and not its hint', () => {
  expect(render('Give a reason.')).toMatch(/role="alert"[^>]*>Give a reason\./)
  expect(render(null)).toContain('It goes to the log.')
  expect(render(null)).not.toContain('role="alert"')
})

test('a phone changes no letter of the start of a wallet, whose case matters', () => {
  expect(render(null)).toMatch(/<input[^>]* autoCapitalize="none" autoCorrect="off"/i)
  const reason = renderToStaticMarkup(
    <TextField multiline label="Reason" value="" onChange={() => undefined} />,
  )
  expect(reason).toMatch(/<textarea/)
  expect(reason).not.toMatch(/autoC(apitalize|orrect)/i)
})
