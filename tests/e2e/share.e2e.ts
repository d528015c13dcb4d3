import { expect, test, DESKTOP_ONLY, VARIANT } from './browser-test.ts'

/** A JPEG or PNG of at most 150 kB. Sites that preview links ignore larger ones. */
const MAX_LINK_IMAGE_BYTES = 150_000

test('the game can be installed', VARIANT, async ({ page }) => {
  await page.goto('/')
  const browser = await page.context().newCDPSession(page)
  const { url, data, errors } = await browser.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(new URL(url).pathname).toBe('/manifest.webmanifest')
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
  // A window of a test has no profile to install into.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])

  type Icon = { src: string; sizes: string; purpose: string }
  const { icons } = JSON.parse(data!) as { icons: Icon[] }
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, sizes } of [...icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
    const size = await page.evaluate(async (address) => {
      const picture = new Image()
      picture.src = address
      await picture.decode()
      return `${picture.naturalWidth}x${picture.naturalHeight}`
    }, src)
    expect([src, size]).toEqual([src, sizes])
  }
  expect((await page.request.get('/favicon.ico')).headers()['content-type']).toMatch(/^image\//)
})

test(
  'a link to a page is previewed with its title, its description and a picture',
  DESKTOP_ONLY,
  async ({ page }) => {
    for (const path of ['/', '/parcels', '/parcels/EU', '/marketplace', '/transparency', '/no-such-page']) {
      const html = await (await page.request.get(path)).text()
      const found = (pattern: RegExp): string | undefined => pattern.exec(html)?.[1]
      const property = (name: string) => found(new RegExp(`<meta property="og:${name}" content="([^"]+)"`))
      expect([path, property('title')]).toEqual([path, found(/<title>([^<]+)/)])
      expect(property('description')).toBe(found(/<meta\s+name="description"\s+content="([^"]+)"/))
      expect(property('image:alt')).toContain('Grandma')
      expect(html).toContain('<meta name="twitter:card" content="summary_large_image">')
      const image = await page.request.get(new URL(property('image')!, 'http://farm.test').pathname)
      expect(image.headers()['content-type']).toBe('image/jpeg')
      expect((await image.body()).length).toBeLessThan(MAX_LINK_IMAGE_BYTES)
    }
  },
)

test('a missing file is a 404 and not a page', DESKTOP_ONLY, async ({ page }) => {
  for (const path of ['/x.png', '/sw.js', '/icons/none.ico', '/parcels/EU.webmanifest'])
    expect([path, (await page.request.get(path)).status()]).toEqual([path, 404])
})
