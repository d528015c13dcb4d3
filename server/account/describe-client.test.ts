import { expect, test } from 'vitest'
import { describeDevice, shortenAddress } from './describe-client.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`,
    'Microsoft Edge on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} Chrome/140.0 Mobile Safari/537.36 Phantom/26`,
    'Phantom on Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
  ['Opera/9.80', 'Opera'],
  ['curl/8.5.0', ''],
  ['=EVIL/1.0 (nothing)', ''],
  ['', ''],
  [`=HYPERLINK("x") ${'A'.repeat(10_000)}`, ''],
])('%s is %s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device)
})

test('a name is never longer than its column, whatever a caller sends', () => {
  expect(describeDevice(`Nokia ${'1'.repeat(10_000)}`)).toHaveLength(60)
  expect(shortenAddress('x'.repeat(10_000))).toHaveLength(60)
})

test.each([
  ['203.0.113.77', '203.0.113.x'],
  ['::ffff:203.0.113.77', '203.0.113.x'],
  ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3:x'],
  ['2001:db8::1', '2001:db8:0:x'],
  ['::1', ''],
  ['::ffff:127.0.0.1', ''],
  ['127.0.0.1', ''],
  ['', ''],
])('%s is shown as %s', (address, shown) => {
  expect(shortenAddress(address)).toBe(shown)
})
