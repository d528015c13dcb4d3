import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '#server/platform/answer.ts'

/**
 * Refuses a call that a page of another site makes. A call without `Origin` is no browser's and may pass; a page of
 * this site names the host that it calls, or the public address of the game.
 */
export function refuseForeignOrigin(request: { headers: IncomingHttpHeaders }, publicUrl: string): void {
  const { origin, host } = request.headers
  if (origin === undefined) return
  if (!URL.canParse(origin)) refuse('foreign_origin')
  const from = new URL(origin)
  if (from.origin === new URL(publicUrl).origin) return
  if (from.host !== host) refuse('foreign_origin')
}
