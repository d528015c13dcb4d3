import { expect, test } from 'vitest'
import { isForeignOrigin } from './origin.ts'

const LOCAL = 'http://localhost:3001'
const PUBLIC = 'https://farm.example'

test.each([
  [LOCAL, 'http://localhost:3001', 'localhost:3001', false],
  [LOCAL, 'http://127.0.0.1:3001', '127.0.0.1:3001', false],
  [LOCAL, 'http://[::1]:3001', '[::1]:3001', false],
  // In a local network, and through a forwarded port of this machine.
  [LOCAL, 'http://192.168.1.7:3001', '192.168.1.7:3001', false],
  [LOCAL, 'http://localhost:8080', 'localhost:8080', false],
  // The owner of a name can point it to this machine.
  [LOCAL, 'http://evil.example:3001', 'evil.example:3001', true],
  [LOCAL, 'http://localhost.evil.example:3001', 'localhost.evil.example:3001', true],
  [LOCAL, 'http://192.168.1.8:3001', '192.168.1.7:3001', true],
  [LOCAL, 'http://localhost:8080', 'localhost:3001', true],
  [LOCAL, 'null', 'localhost:3001', true],
  [PUBLIC, 'https://farm.example', 'farm.example', false],
  [PUBLIC, 'https://farm.example', '10.0.0.5:3001', false],
  [PUBLIC, 'http://farm.example', 'farm.example', true],
  [PUBLIC, 'https://farm.example:444', 'farm.example:444', true],
  [PUBLIC, 'http://10.0.0.5:3001', '10.0.0.5:3001', true],
  [PUBLIC, 'http://localhost:3001', 'localhost:3001', true],
  [PUBLIC, 'null', 'farm.example', true],
])('with PUBLIC_URL %s, a page from %s that calls %s is foreign: %s', (publicUrl, origin, host, foreign) => {
  expect(isForeignOrigin({ headers: { origin, host } }, publicUrl)).toBe(foreign)
})

test('a call without Origin is not from a browser and is allowed', () => {
  expect(isForeignOrigin({ headers: { host: 'anything' } }, PUBLIC)).toBe(false)
})
