import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

/** Whose `X-Forwarded-For` is believed: nobody, a number of hops, or addresses and networks. */
export type TrustProxy = false | number | readonly string[]

type IsTrusted = (address: string, hop: number) => boolean

/** Whether an address, so many hops from this server outwards, is a proxy of the operator's. */
export function createTrustCheck(proxy: TrustProxy): IsTrusted {
  if (proxy === false) return () => false
  // With one trusted hop, the address that it names is the caller's.
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

/** The address of whoever calls, also of a call that Fastify does not see. */
export function callerOf({ socket, headers }: IncomingMessage, isTrusted: IsTrusted): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
  const hops = forwarded.split(',').map((each) => each.trim())
  const addresses = [socket.remoteAddress ?? '', ...hops.filter(Boolean).toReversed()]
  return addresses.find((address, hop) => !isTrusted(address, hop)) ?? addresses.at(-1)!
}

/** What counts as one caller: an IPv4 address, or the /64 that a provider gives to one customer. */
export function callerKeyOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4).join(':')
}
