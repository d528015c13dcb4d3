import { randomUUID } from 'node:crypto'
import type { IdempotencyKey } from '#server/actions/run-once.ts'
import { tokenOf } from './players.ts'

const BODY_HASH = Buffer.alloc(32, 7)

/** A key of its own, as every request of the web app carries one. */
export const keyOn = (route: string): IdempotencyKey => ({ route, key: randomUUID(), bodyHash: BODY_HASH })

/** A player asks for something. */
export const getRequest = (path: string, player: number): string =>
  [`GET ${path} HTTP/1.1`, 'host: bench.test', `x-auth-token: ${tokenOf(player)}`, '', ''].join('\r\n')

/** A player does something, with a token and an idempotency key of its own. */
export function postRequest(path: string, player: number, asked: object): string {
  const body = JSON.stringify(asked)
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
