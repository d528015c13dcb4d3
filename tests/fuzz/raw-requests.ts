import * as fc from 'fast-check'
import { SMUGGLED, unclearRequests } from './unclear-requests.ts'
import { HOST, KNOWN, type Listener } from './well-formed-requests.ts'

/** What one connection sends, as plain data, so that it can be printed and stored. */
export type RawCase = {
  /** Each character is one byte. */
  bytes: string
  /** Where the bytes are cut into writes that arrive one after the other. */
  cuts: readonly number[]
  /** After the last byte the client closes its side, waits for the server, or resets the connection. */
  ending: 'end' | 'stay' | 'reset'
  /**
   * `refused`: bytes that two servers could read as different requests. None of them may be served. A list: these
   * requests are well-formed, and each is answered with its status, in this order.
   */
  expected: 'anything' | 'refused' | readonly { method: string; status: number }[]
}

const METHODS = [
  'GET',
  'POST',
  'get',
  'HEAD',
  'CONNECT',
  'TRACE',
  'PRI',
  'M-SEARCH',
  'SOURCE',
  'GE T',
  '',
  'G\u0000T',
  '{',
  'A'.repeat(20_000),
]
const TARGETS = [
  '/',
  '*',
  '',
  '/ws',
  '/api/nothing',
  'http://evil.example/',
  'https://[::1]:99999/a',
  'http://',
  '//evil.example/api/nothing',
  'evil.example:443',
  '/a b',
  '/\u0000',
  '/\u00e9',
  '/%',
  '/%00%0d%0a',
  '/#a',
  '/?',
  '\\..\\..\\',
  '/../../etc/passwd',
  `/${'a'.repeat(20_000)}`,
]
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/3',
  'HTTP/1.2',
  'HTTP/9.9',
  'http/1.1',
  'HTTP/1.1 ',
  'HTTP/11',
  'HTTP/',
  'ICE/1.0',
  'RTSP/1.0',
  '',
]
const LINES = [
  'Host: 127.0.0.1',
  'Host: 127.0.0.1\r\nHost: evil.example',
  'Host:',
  'Host: \u0000',
  'Host: a b',
  'Host: [',
  'Host: 127.0.0.1:99999',
  'Connection: close',
  'Connection: keep-alive, close, upgrade',
  'Connection: Upgrade\r\nUpgrade: websocket',
  'Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\nSec-WebSocket-Key: a',
  'Connection: Upgrade\r\nUpgrade: \u00ff, websocket',
  'Upgrade: websocket',
  'Sec-WebSocket-Extensions: permessage-deflate; a=",;',
  'Sec-WebSocket-Protocol: ,,',
  'Expect: 100-continue',
  'Expect: 100-continue, 200-maybe',
  'Content-Length: 5',
  'Content-Length: 16385',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'TE: trailers',
  'Trailer: Content-Length',
  'Origin: http://localhost:1',
  'Origin: \u0000',
  'X-Forwarded-For: \u00ff',
  'Cookie: a=b',
  'a:',
  'a: b\r\n c',
]

const oddLines = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...LINES) },
    {
      weight: 1,
      arbitrary: fc
        .string({ unit: 'binary', maxLength: 30 })
        .map((text) => Buffer.from(text).toString('latin1')),
    },
  ),
  { maxLength: 6 },
)

/** A request line and headers of which each part may be odd. */
const oddRequests: fc.Arbitrary<string> = fc
  .record({
    method: fc.oneof({ weight: 3, arbitrary: fc.constantFrom('GET', 'POST') }, fc.constantFrom(...METHODS)),
    target: fc.constantFrom(...TARGETS),
    version: fc.oneof({ weight: 3, arbitrary: fc.constant('HTTP/1.1') }, fc.constantFrom(...VERSIONS)),
    lines: oddLines,
    lineEnd: fc.oneof(
      { weight: 6, arbitrary: fc.constant('\r\n') },
      fc.constantFrom('\n', '\r', '\n\r', '\r\r\n', '\u2028'),
    ),
    body: fc.constantFrom(
      '',
      '',
      'hello',
      '5\r\nhello\r\n0\r\n\r\n',
      '{}',
      '\u0081\u0085\u0000\u0000\u0000\u0000hello',
    ),
  })
  .map(({ method, target, version, lines, lineEnd, body }) =>
    toBytes(
      `${method} ${target} ${version}${lineEnd}${lines.map((line) => line + lineEnd).join('')}${lineEnd}${body}`,
    ),
  )

/** What other protocols send first, and bytes without any meaning. */
const PROTOCOLS = [
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'SSH-2.0-OpenSSH_9.9\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000',
  '\u0005\u0001\u0000',
  '\u0004\u0001\u0000P\u007f\u0000\u0000\u0001\u0000',
  'PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
  '\r\n\r\n\u0000\r\nQUIT\n!\u0011\n',
  '*1\r\n$4\r\nPING\r\n',
  'EHLO evil.example\r\nMAIL FROM:<a@b>\r\n',
  '\u0000\u0000\u0000\u0008\u0004\u00d2\u0016/',
  '{"jsonrpc":"2.0","id":1,"method":"getHealth"}\n',
  '\r\n'.repeat(5_000),
  '\n'.repeat(20_000),
  '\u0000'.repeat(20_000),
]

const toBytes = (text: string): string =>
  Buffer.from(text, /[\u0100-\uffff]/.test(text) ? 'utf8' : 'latin1').toString('latin1')

const noise: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...PROTOCOLS),
  fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
)

/** Up to five thousand headers, below and above what the server reads. */
const manyHeaders: fc.Arbitrary<string> = fc
  .tuple(
    fc.integer({ min: 1, max: 5_000 }),
    fc.constantFrom('a:', 'Host: 127.0.0.1', 'Cookie: a=b', 'x-auth-token: a', 'Content-Length: 0'),
  )
  .map(([count, line]) => `GET / HTTP/1.1\r\n${HOST}${`${line}\r\n`.repeat(count)}\r\n`)

const EDITS = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\u0000',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '\u007f',
  '\u0080',
  '\u00ff',
  '0',
  '-',
  '%',
  'HTTP/1.1',
  SMUGGLED,
]

/** A well-formed request with some bytes changed, left out or repeated. */
const damagedRequests = (listener: Listener): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...KNOWN[listener]),
      fc.array(
        fc.record({
          at: fc.nat({ max: 400 }),
          removed: fc.nat({ max: 4 }),
          added: fc.constantFrom('', ...EDITS),
          times: fc.constantFrom(1, 1, 1, 2, 300),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([{ text }, edits]) =>
      edits.reduce((before, { at, removed, added, times }) => {
        const place = at % (before.length + 1)
        return before.slice(0, place) + added.repeat(times) + before.slice(place + removed)
      }, text),
    )

const cutsIn = fc.array(fc.nat({ max: 400 }), { maxLength: 3 })

const withEnding = (bytes: fc.Arbitrary<string>, stays: number): fc.Arbitrary<RawCase> =>
  fc.record(
    {
      bytes,
      cuts: cutsIn,
      ending: fc.oneof(
        { weight: 30, arbitrary: fc.constant('end' as const) },
        { weight: stays, arbitrary: fc.constant('stay' as const) },
        { weight: 2, arbitrary: fc.constant('reset' as const) },
      ),
      expected: fc.constant('anything' as const),
    },
    { noNullPrototype: true },
  )

const unclearCases = (listener: Listener): fc.Arbitrary<RawCase> =>
  fc.record(
    {
      bytes: unclearRequests(listener),
      cuts: cutsIn,
      ending: fc.constant('stay' as const),
      expected: fc.constant('refused' as const),
    },
    { noNullPrototype: true },
  )

/** One to twenty well-formed requests in one connection. */
const knownCases = (listener: Listener): fc.Arbitrary<RawCase> =>
  fc
    .tuple(fc.array(fc.constantFrom(...KNOWN[listener]), { minLength: 1, maxLength: 20 }), cutsIn)
    .map(([requests, cuts]) => ({
      bytes: requests.map(({ text }) => text).join(''),
      cuts,
      ending: 'stay',
      expected: requests.map(({ method, status }) => ({ method, status })),
    }))

/** A request of which the last part never arrives. */
const truncated = (listener: Listener): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...KNOWN[listener]), fc.nat({ max: 400 }))
    .map(([{ text }, at]) => text.slice(0, at % text.length))

/** What clients send that speak no HTTP, or break its rules. */
export const rawCases = (listener: Listener): fc.Arbitrary<RawCase> =>
  fc.oneof(
    { weight: 4, arbitrary: unclearCases(listener) },
    { weight: 4, arbitrary: knownCases(listener) },
    { weight: 6, arbitrary: withEnding(damagedRequests(listener), 1) },
    { weight: 6, arbitrary: withEnding(oddRequests, 1) },
    { weight: 3, arbitrary: withEnding(noise, 1) },
    { weight: 2, arbitrary: withEnding(truncated(listener), 3) },
    { weight: 1, arbitrary: withEnding(manyHeaders, 1) },
  )
