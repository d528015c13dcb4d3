import { isIP, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { CONSOLE_REFUSALS, consoleRefusalBody } from '#contract/console/refusals.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

type HostSettings = { consoleUrl: string; consoleHost: string }

/**
 * Whether the console answers to this `Host`: that of its URL, an address of this machine, or the address on which it
 * listens. A name of somebody else's that leads here (DNS rebinding) would be the origin of their page.
 */
export function isKnownHost(host: string, { consoleUrl, consoleHost }: HostSettings): boolean {
  const asked = URL.parse(`http://${host}`)
  if (!asked || asked.host.toLowerCase() !== host.toLowerCase().replace(/:80$/, '')) return false
  const own = new URL(consoleUrl)
  if (asked.hostname === own.hostname || LOOPBACK.has(asked.hostname)) return true
  return isIP(consoleHost) !== 0 && asked.hostname === hostnameOf(consoleHost)
}

/** An address as URLs write it. */
const hostnameOf = (address: string): string | undefined =>
  URL.parse(`http://${isIPv6(address) ? `[${address}]` : address}`)?.hostname

/** Refuses requests to other hosts before anything else reads them. */
export function refuseUnknownHosts(app: FastifyInstance, settings: HostSettings): void {
  app.addHook('onRequest', (request, reply, next) => {
    if (isKnownHost(request.headers.host ?? '', settings)) return next()
    const code = 'host_unknown'
    reply.status(CONSOLE_REFUSALS[code].status).send(consoleRefusalBody({ code, facts: {} }))
  })
}
