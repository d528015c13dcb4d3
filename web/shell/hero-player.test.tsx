import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { HeroPlayer } from './hero-player.tsx'

test('the amount that grows on the first page is alone in an element, so that it also grows on a translated page', () => {
  const page = renderToStaticMarkup(
    <MemoryRouter>
      <HeroPlayer />
    </MemoryRouter>,
  )
  expect(page).toMatch(/<img[^>]*><span>My farm<\/span><\/a>/)
})
