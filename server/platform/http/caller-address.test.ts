import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { callerOf, callerKeyOf, type TrustProxy, createTrustCheck } from './caller-address.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

const cases: [TrustProxy, string, string | undefined, string][] = [
  [false, '127.0.0.1', '9.9.9.9', '127.0.0.1'],
  [1, '127.0.0.1', '9.9.9.9', '9.9.9.9'],
  [1, '127.0.0.1', '6.6.6.6, 9.9.9.9', '9.9.9.9'],
  [2, '127.0.0.1', '6.6.6.6, 9.9.9.9', '6.6.6.6'],
  [2, '127.0.0.1', undefined, '127.0.0.1'],
  [['127.0.0.1', '10.0.0.0/8'], '127.0.0.1', '6.6.6.6, 10.1.2.3', '6.6.6.6'],
  [['127.0.0.1', '10.0.0.0/8'], '::ffff:127.0.0.1', '6.6.6.6', '6.6.6.6'],
  [['10.0.0.0/8'], '127.0.0.1', '6.6.6.6', '127.0.0.1'],
  [['::1', 'fd00::/8'], '::1', '2001:db8::5, fd00::7', '2001:db8::5'],
]

test.each(cases)(
  'with TRUST_PROXY %j a call from %s forwarded for %s counts for %s',
  (proxy, remote, forwarded, caller) => {
    expect(callerOf(request(remote, forwarded), createTrustCheck(proxy))).toBe(caller)
  },
)

test('a caller is an IPv4 address or an IPv6 network of 64 bits', () => {
  expect(callerKeyOf('9.9.9.9')).toBe('9.9.9.9')
  expect(callerKeyOf('::ffff:9.9.9.9')).toBe('9.9.9.9')
  expect(callerKeyOf('2001:db8:1:2::5')).toBe(callerKeyOf('2001:db8:1:2:ffff:1:2:3'))
  expect(callerKeyOf('2001:db8:1:2::5')).not.toBe(callerKeyOf('2001:db8:1:3::5'))
  expect(callerKeyOf('::1')).toBe('0:0:0:0')
})
