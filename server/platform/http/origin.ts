import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/**
 * Whether a page of another site sent this request. A request without `Origin` is not from a browser and is allowed. A
 * page of this site has the public URL of the game as its origin. If that URL is an address of this machine, which is the
 * default, the game can also be opened at the machine's other addresses: then a page may call the host that it was loaded
 * from, if that is an IP address. A name is not accepted, because its owner can point it anywhere.
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

/** An IP address, or the one name that every browser resolves to this machine. */
const isIpOrLocalhost = (url: URL): boolean =>
  url.hostname === 'localhost' || isIP(withoutBrackets(url)) !== 0
