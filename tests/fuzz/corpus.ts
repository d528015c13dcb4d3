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
