import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpServer } from './http-server.ts'
import { serveWebApp } from './web-app.ts'

const SCRIPT = 'play()\n'.repeat(100)
const SCRIPT_URL = '/assets/app-1.js'
const STYLE = 'a{}\n'.repeat(100)

const root = mkdtempSync(join(tmpdir(), 'web-files-'))
const app = await createHttpServer(
  { publicUrl: 'http://farm.test', trustProxy: false, limited: false },
  pino({ level: 'silent' }),
)

beforeAll(() => {
  mkdirSync(join(root, 'assets'))
  const write = (file: string, content: string | Buffer) => writeFileSync(join(root, file), content)
  write('index.html', 'start')
  write('robots.txt', 'robots')
  // Compressed, a short text is longer.
  write('robots.txt.br', brotliCompressSync('robots'))
  write('robots.txt.gz', gzipSync('robots'))
  write('manifest.webmanifest', '{}')
  write('.htpasswd', 'secret')
  mkdirSync(join(root, '.git'))
  write('.git/config', 'secret')
  write('assets/app-1.js', SCRIPT)
  write('assets/app-1.js.br', brotliCompressSync(SCRIPT))
  write('assets/app-1.js.gz', gzipSync(SCRIPT))
  write('assets/kid-1.webp', 'image')
  write('assets/part~a.css', STYLE)
  write('assets/part~a.css.gz', gzipSync(STYLE))
  write('assets/notes.odd', 'odd')
  serveWebApp(app, root, { limited: false })
  // A new release replaces the folder while this one runs.
  rmSync(root, { recursive: true })
})
afterAll(() => app.close())

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.1, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['zstd', undefined],
  [undefined, undefined],
])('to a client that accepts the encodings %s, text is sent as %s', async (accepted, encoding) => {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
  const { rawPayload, headers: answered, statusCode } = await app.inject({ url: SCRIPT_URL, headers })
  expect([statusCode, answered['content-encoding'], answered.vary]).toEqual([
    200,
    encoding,
    'accept-encoding',
  ])
  expect(answered['content-length']).toBe(String(rawPayload.length))
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes)
  expect(String(decode(rawPayload))).toBe(SCRIPT)
})

test('a client that has the file in this encoding is answered with 304, and one that has it in another is not', async () => {
  const readWith = (headers: Record<string, string>) => app.inject({ url: SCRIPT_URL, headers })
  const compressed = await readWith({ 'accept-encoding': 'br' })
  const etag = String(compressed.headers.etag)
  const again = await readWith({ 'accept-encoding': 'br', 'if-none-match': `"other", W/${etag}` })
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
  const cachedBy = ({ headers }: typeof again) => [headers['cache-control'], headers.vary]
  expect(cachedBy(again)).toEqual(cachedBy(compressed))
  expect((await readWith({ 'if-none-match': etag })).statusCode).toBe(200)
})

test('a file with a hash in its name is cached forever, and every other file is revalidated', async () => {
  const cachingOf = async (url: string) => (await app.inject({ url })).headers['cache-control']
  expect(await cachingOf(SCRIPT_URL)).toBe('public, max-age=31536000, immutable')
  expect(await cachingOf('/robots.txt')).toBe('no-cache')
})

test('what compression makes longer is sent as it is, and needs no variant', async () => {
  const { body, headers } = await app.inject({ url: '/robots.txt', headers: { 'accept-encoding': 'br' } })
  expect([body, headers['content-encoding'], headers.vary]).toEqual(['robots', undefined, undefined])
})

test.each([
  [SCRIPT_URL, 'text/javascript; charset=utf-8'],
  ['/', 'text/html; charset=utf-8'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/manifest.webmanifest', 'application/manifest+json'],
  ['/assets/kid-1.webp', 'image/webp'],
  ['/assets/notes.odd', 'application/octet-stream'],
])('%s has the media type %s', async (url, type) => {
  expect((await app.inject({ url })).headers['content-type']).toBe(type)
})

test('HEAD is answered with the headers of GET and without content', async () => {
  const [head, get] = [
    await app.inject({ method: 'HEAD', url: SCRIPT_URL }),
    await app.inject({ url: SCRIPT_URL }),
  ]
  expect([head.statusCode, head.body]).toEqual([200, ''])
  expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
})

test('a part of a file is answered with all of it', async () => {
  const { statusCode, body } = await app.inject({ url: SCRIPT_URL, headers: { range: 'bytes=99-' } })
  expect([statusCode, body]).toEqual([200, SCRIPT])
})

test('a client is sent the encoding that the file has, even if it prefers another', async () => {
  const { headers } = await app.inject({
    url: '/assets/part~a.css',
    headers: { 'accept-encoding': 'br, gzip' },
  })
  expect(headers['content-encoding']).toBe('gzip')
})

test.each(['/assets/part%7Ea.css', '/assets/%70art~a.css'])('%s names a file, too', async (url) => {
  expect((await app.inject({ url })).body).toBe(STYLE)
})

test.each([`${SCRIPT_URL}.br`, '/robots.txt.gz', '/.htpasswd', '/none%2Ejs'])(
  '%s is not served',
  async (url) => {
    expect((await app.inject({ url })).statusCode).toBe(404)
  },
)

test('a file in a folder of git is answered with a page, as any unknown path', async () => {
  expect((await app.inject({ url: '/.git/config' })).body).toBe('start')
})
