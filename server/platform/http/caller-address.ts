import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

/** Which proxies' `X-Forwarded-For` is trusted: none, a number of hops, or addresses and networks. */
export type TrustProxy = false | number | readonly string[]

type IsTrusted = (address: string, hop: number) => boolean

/** Whether an address, at this number of hops from the server, is a proxy of the operator. */
export function createTrustCheck(proxy: TrustProxy): IsTrusted {
  if (proxy === false) return () => false
  // With one trusted hop, the address that this hop reports is the caller's.
  if (typeof proxy === 'number') return (_address, hop) => hop < proxy
  const trusted = new BlockList()
  for (const each of proxy) {
    const [network = '', bits] = each.split('/')
    const family = isIPv6(network) ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(network, family)
    else trusted.addSubnet(network, Number(bits), family)
  }
  return (address) => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** The caller's address, also for a request that Fastify does not handle. */
export function callerOf({ socket, headers }: IncomingMessage, isTrusted: IsTrusted): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
  const hops = forwarded.split(',').map((each) => each.trim())
  const addresses = [socket.remoteAddress ?? '', ...hops.filter(Boolean).toReversed()]
  return addresses.find((address, hop) => !isTrusted(address, hop)) ?? addresses.at(-1)!
}

/** The key of a caller: an IPv4 address, or the /64 network that a provider assigns to one customer. */
export function callerKeyOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4).join(':')
}
