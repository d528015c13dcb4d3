import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Button } from './button.tsx'
import { Coins } from './coins.tsx'

test('a text beside a picture is alone in an element, because a translator of the browser replaces its node', () => {
  const button = (busy: boolean): string => renderToStaticMarkup(<Button busy={busy}>BUY</Button>)
  expect(button(false)).toMatch(/<button[^>]*><span>BUY<\/span><\/button>$/)
  expect(button(true)).toMatch(/<button[^>]*><img[^>]*><span>BUY<\/span><\/button>$/)
  expect(renderToStaticMarkup(<Coins>1,234</Coins>)).toMatch(/<img[^>]*><span>1,234<\/span><\/span>$/)
})
