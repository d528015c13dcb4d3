import type { RawCase } from './raw-requests.ts'
import type { Listener } from './well-formed-requests.ts'
import type { FuzzRequest } from './requests.ts'

/** Requests that once failed. Each run sends them first. */
export const REGRESSIONS: readonly { target: string; request: FuzzRequest }[] = [
  // Postgres has no year 0, so this was answered with 500.
  {
    target: 'console announce',
    request: {
      method: 'POST',
      path: '/api/console/announcements',
      headers: [
        ['authorization', 'Bearer {operator}'],
        ['content-type', 'application/json'],
      ],
      body: '{"text":"!","startsAt":"0000-02-20T00:00:00.000Z","endsAt":"3000-02-10T20:00:00.000Z"}',
    },
  },
]

// Node answered it itself, without the body of a refusal.
const NO_HOST: RawCase = { bytes: 'GET / HTTP/1.1\r\n\r\n', cuts: [], ending: 'stay', expected: 'refused' }

// The local chain waited more than a minute for the rest.
const HALF_A_REQUEST: RawCase = {
  bytes: 'POST / HTTP/1.1\r\nHost: a',
  cuts: [],
  ending: 'stay',
  expected: 'refused',
}

/** Bytes that once did harm, or do it to other servers. Each run sends them first. */
export const RAW_REGRESSIONS: Readonly<Record<Listener, readonly RawCase[]>> = {
  game: [NO_HOST],
  console: [NO_HOST],
  chain: [HALF_A_REQUEST],
}
