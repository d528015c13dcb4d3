import { callerKeyOf } from '#server/platform/http/caller-address.ts'

// In this order, because most browsers also name those that they descend from.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Phantom/i, 'Phantom'],
  [/Solflare/i, 'Solflare'],
  [/\bEdgA?\//, 'Edge'],
  [/\bEdgiOS\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Version\/[\d.]+.* Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'Chromebook'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
]

const nameIn = (text: string, names: typeof BROWSERS): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** A browser in words, by its user agent: "Chrome on Windows". Empty if it says nothing that we know. */
export function describeDevice(userAgent: string): string {
  const [browser, system] = [nameIn(userAgent, BROWSERS), nameIn(userAgent, SYSTEMS)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? ''
}

/** An address without the part that names one customer: 203.0.113.x, or 2001:db8:85a3:x. */
export function shortenAddress(address: string): string {
  if (address === '') return ''
  const key = callerKeyOf(address)
  const separator = key.includes('.') ? '.' : ':'
  return [...key.split(separator).slice(0, 3), 'x'].join(separator)
}
