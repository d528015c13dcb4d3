import { expect, test } from 'vitest'
import { isKnownHost } from './check-host.ts'

const consoleUrl = 'http://localhost:4000'

test.for([
  ['10.8.0.1', '10.8.0.1:4000'],
  ['fd00::7', '[fd00::7]:4000'],
  ['fd00:0:0::7', '[fd00::7]:4000'],
] as const)('a console that listens on %s answers to %s, and to no other address', ([consoleHost, host]) => {
  expect(isKnownHost(host, { consoleUrl, consoleHost })).toBe(true)
  for (const other of ['10.8.0.2:4000', '[fd00::8]:4000', 'evil.example:4000', '[fe80::1%eth0]:4000'])
    expect([other, isKnownHost(other, { consoleUrl, consoleHost })]).toEqual([other, false])
})

test('a console that listens on a name or on every address answers to no address but those of this machine', () => {
  for (const consoleHost of ['farm.internal', '0.0.0.0', '::', 'fe80::1%eth0']) {
    for (const host of ['farm.internal:4000', '10.8.0.1:4000', '[fd00::7]:4000'])
      expect([host, isKnownHost(host, { consoleUrl, consoleHost })]).toEqual([host, false])
    for (const host of ['localhost:4000', '127.0.0.1:4000', '[::1]:4000'])
      expect([host, isKnownHost(host, { consoleUrl, consoleHost })]).toEqual([host, true])
  }
})
