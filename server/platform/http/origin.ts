import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a page of another site makes this call. A call without `Origin` is no browser's and may pass; a page of this
 * site names the host that it calls, or the public address of the game.
 */
export function isForeign(request: { headers: IncomingHttpHeaders }, publicUrl: string): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const from = new URL(origin)
  return from.origin !== new URL(publicUrl).origin && from.host !== host
}
