import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Dialog } from './dialog.tsx'

function render(props: { text?: string; describedBy?: string[] }): string {
  return renderToStaticMarkup(<Dialog title="Buy" onClose={() => undefined} actions={null} {...props} />)
}

test('a dialog is described by its text and by what is decided in it', () => {
  expect(render({})).not.toContain('aria-describedby')
  expect(render({ describedBy: ['name', 'price'] })).toContain('aria-describedby="name price"')
  const whole = render({ text: 'Final.', describedBy: ['price'] })
  const textId = /aria-describedby="(\S+) price"/.exec(whole)?.[1]
  expect(whole).toContain(`id="${textId}">Final.</p>`)
})
