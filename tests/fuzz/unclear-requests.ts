import * as fc from 'fast-check'
import { HOST, JSON_TYPE, type Listener } from './well-formed-requests.ts'

export const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

/**
 * Header lines after which it is unclear where the body ends (RFC 9112, 6.3), or which a lenient server repairs. Their
 * body is a whole request.
 */
const UNCLEAR_FIELDS = [
  'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
  'Content-Length: 0\r\nContent-Length: 43\r\n',
  'Content-Length: 43\r\nContent-Length: 43\r\n',
  'Content-Length: 0, 43\r\n',
  'Content-Length: +43\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 0x2b\r\n',
  'Content-Length: 4 3\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Content-Length:\r\n',
  'Content-Length : 43\r\n',
  'Content-Length\r\n',
  'Transfer-Encoding : chunked\r\n',
  'Transfer-Encoding: xchunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Transfer-Encoding: chunked, identity\r\n',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n',
  'Transfer-Encoding: gzip\r\n',
  'Transfer-Encoding: "chunked"\r\n',
  'Transfer-Encoding: \u000bchunked\r\n',
  'Transfer-Encoding\u0000: chunked\r\n',
  'X: a\r\n Transfer-Encoding: chunked\r\n',
  'X: a\r\n\tContent-Length: 43\r\n',
  ' Content-Length: 43\r\n',
  'X: a\rTransfer-Encoding: chunked\r\n',
  'X: a\nTransfer-Encoding: chunked\r\n',
  'X: a\n\nGET /smuggled HTTP/1.1\r\n',
  'X: a\u0000b\r\n',
  'X\u00ff: a\r\n',
  ': a\r\n',
]

/** Bodies in chunks that a lenient server repairs. */
const UNCLEAR_CHUNKS = [
  '5\nhello\r\n0\r\n\r\n',
  '5\r\nhello\n0\r\n\r\n',
  '5\r\nhello0\r\n\r\n',
  '5;\nhello\r\n0\r\n\r\n',
  '-1\r\nhello\r\n0\r\n\r\n',
  '0x5\r\nhello\r\n0\r\n\r\n',
  ' 5\r\nhello\r\n0\r\n\r\n',
  '5 \u0000\r\nhello\r\n0\r\n\r\n',
  'fffffffffffffffff\r\nhello\r\n0\r\n\r\n',
  '10000000000000005\r\nhello\r\n0\r\n\r\n',
  'g\r\nhello\r\n0\r\n\r\n',
  '\r\nhello\r\n0\r\n\r\n',
]

const PATHS: Readonly<Record<Listener, string>> = {
  game: '/api/users/nonce',
  console: '/api/console/nonce',
  chain: '/',
}

/** Bytes that two servers in a row could read as different requests. */
export const unclearRequests = (listener: Listener): fc.Arbitrary<string> => {
  const start = `POST ${PATHS[listener]} HTTP/1.1\r\n${HOST}${JSON_TYPE}`
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(...UNCLEAR_FIELDS).map((fields) => `${start}${fields}\r\n${SMUGGLED}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...UNCLEAR_CHUNKS)
        .map((chunks) => `${start}Transfer-Encoding: chunked\r\n\r\n${chunks}${SMUGGLED}`),
    },
  )
}
