import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/**
 * Whether a page of another site makes this call. A call without `Origin` is no browser's and may pass; a page of this
 * site names the public address of the game. While that is an address of this machine, as without any settings, the game
 * is also played at the other names of the machine and at its addresses in a local network: a page may then call the very
 * host that it came from, unless that is a name, which its owner can point anywhere.
 */
export function isForeignOrigin(request: { headers: IncomingHttpHeaders }, publicUrl: string): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return false
  const from = URL.parse(origin)
  if (!from) return true
  const own = new URL(publicUrl)
  if (from.origin === own.origin) return false
  return !(isLoopback(own) && isIpOrLocalhost(from) && from.host === host)
}

const withoutBrackets = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

const isLoopback = (url: URL): boolean =>
  url.hostname === 'localhost' || /^(127\..*|::1)$/.test(withoutBrackets(url))

/** At an address, or at the one name that every browser keeps for the machine itself. */
const isIpOrLocalhost = (url: URL): boolean =>
  url.hostname === 'localhost' || isIP(withoutBrackets(url)) !== 0
