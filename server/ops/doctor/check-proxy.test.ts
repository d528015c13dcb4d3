import { expect, test } from 'vitest'
import { originHere } from './check-proxy.ts'

test.each([
  ['localhost', 'http://localhost:3001'],
  ['0.0.0.0', 'http://localhost:3001'],
  ['::', 'http://localhost:3001'],
  ['10.0.0.7', 'http://10.0.0.7:3001'],
  ['fd00::7', 'http://[fd00::7]:3001'],
])('an api that listens on %s is asked at %s', (host, origin) => {
  expect(originHere({ host, port: 3001 })).toBe(origin)
  expect(URL.parse(origin)?.port).toBe('3001')
})
