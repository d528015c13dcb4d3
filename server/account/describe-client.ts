import Bowser from 'bowser'
import { callerKeyOf } from '#server/platform/http/caller-address.ts'

// Wallets whose browser players use. The library takes the first for another program.
const WALLET_BROWSERS = ['Phantom', 'Solflare', 'Backpack']

// For an agent that it does not know, the library returns what the agent calls itself, which anyone can write.
const KNOWN_BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP))

// The columns of a session hold no more. Some agents contain a model of any length.
const MAX_LENGTH = 60

/** The name of a browser and its system, by its user agent: "Chrome on Windows". Empty if neither is known. */
export const describeDevice = (userAgent: string): string => nameDevice(userAgent).slice(0, MAX_LENGTH)

function nameDevice(userAgent: string): string {
  if (userAgent === '') return ''
  const { browser, os, platform } = Bowser.parse(userAgent)
  const named = KNOWN_BROWSERS.has(browser.name ?? '') ? browser.name : undefined
  const name = WALLET_BROWSERS.find((each) => userAgent.includes(`${each}/`)) ?? named
  const system = platform.model || os.name
  if (name && system) return `${name} on ${system}`
  return name ?? system ?? ''
}

const LOOPBACK = /^(::1|(::ffff:)?127\..*)$/

/** An address without the part that names one customer: 203.0.113.x, or 2001:db8:85a3:x. Empty for this machine. */
export function shortenAddress(address: string): string {
  if (address === '' || LOOPBACK.test(address)) return ''
  const key = callerKeyOf(address)
  const separator = key.includes('.') ? '.' : ':'
  return [...key.split(separator).slice(0, 3), 'x'].join(separator).slice(0, MAX_LENGTH)
}
