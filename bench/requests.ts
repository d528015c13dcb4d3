import { randomUUID } from 'node:crypto'
import type { IdempotencyKey } from '#server/actions/run-once.ts'
import { tokenOf } from './seed-players.ts'

const BODY_HASH = Buffer.alloc(32, 7)

/** A new idempotency key. */
export const keyOn = (route: string): IdempotencyKey => ({ route, key: randomUUID(), bodyHash: BODY_HASH })

/** A POST of a player, with a new idempotency key. */
export function postRequest(path: string, player: number, content: object): string {
  const body = JSON.stringify(content)
  return [
    `POST ${path} HTTP/1.1`,
    'host: bench.test',
    'content-type: application/json',
    `x-auth-token: ${tokenOf(player)}`,
    `idempotency-key: ${randomUUID()}`,
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}
