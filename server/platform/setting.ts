import { isIP, isIPv6 } from 'node:net'
import { isAddress } from '@solana/kit'
import { type Cotton, cotton, LARGEST_REQUEST } from '#game/cotton.ts'
import { findUrlProblem } from './db/database-url.ts'
import { StartupError } from './startup-error.ts'

/** Reads the text of a variable, which is trimmed and not empty. Throws a `StartupError` that names the variable. */
export type Parse<Value> = (text: string, name: string) => Value

/** The processes that can be started one by one. `npm start` reads every setting. */
export type SettingRole = 'api' | 'watcher' | 'signer' | 'console' | 'local-chain' | 'migrate'

export interface Setting<Value> {
  parse: Parse<Value>
  /** The value of an unset variable. */
  default: NoInfer<Value>
  /** Markdown: the default as the documentation states it, where it is not the value itself. */
  defaultText?: string
  /** The roles that read it when they run on their own. */
  roles: readonly SettingRole[]
  /** Whether the whole value is a password or a key. */
  secret?: boolean
  /** Markdown. */
  description: string
}

export const setting = <Value>(each: Setting<Value>): Setting<Value> => each

/** A setting that is not part of `Config`: the code that needs it reads the variable itself. */
export const external = (each: Omit<Setting<string>, 'parse' | 'default'>): Setting<string> => ({
  ...each,
  parse: parseText,
  default: '',
})

/** The value of a setting. An empty variable counts as unset: compose files and CI pass unset variables like that. */
export function readSetting<Value>(
  env: Record<string, string | undefined>,
  name: string,
  { parse, default: defaultValue }: Setting<Value>,
): Value {
  const text = env[name]?.trim()
  if (!text) return defaultValue
  // `docker run --env-file` does not remove them, and a folder with such a name would be created.
  if (/^(["']).*\1$/.test(text))
    throw new StartupError(`${name} is in quotation marks: write the value without them.`)
  return parse(text, name)
}

const invalidSetting = (name: string, text: string, expected: string) =>
  new StartupError(`${name} is "${text}", which is not ${expected}.`)

export const parseText: Parse<string> = (text) => text

export const parsePort: Parse<number> = (text, name) => {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw invalidSetting(name, text, 'a port (0 to 65535)')
  return port
}

/** A whole amount of $COTTON. */
export const parseWholeCotton: Parse<Cotton> = (text, name) => {
  if (!/^\d{1,10}$/.test(text) || Number(text) > LARGEST_REQUEST) {
    throw invalidSetting(name, text, `a whole amount of $COTTON (0 to ${LARGEST_REQUEST})`)
  }
  return cotton(Number(text))
}

export const parseSeconds: Parse<number> = (text, name) => {
  const seconds = Number(text)
  if (!/^\d{1,3}$/.test(text) || seconds > 300)
    throw invalidSetting(name, text, 'a whole number of seconds (0 to 300)')
  return seconds
}

const DAY_MS = 86_400_000
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS }

/** `30m`, `6h` or `1d` in milliseconds, one day at most, or `off`: 0. */
export const parseInterval: Parse<number> = (text, name) => {
  if (text === 'off') return 0
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNIT_MS[unit] ?? NaN)
  if (ms <= DAY_MS) return ms
  throw invalidSetting(name, text, 'off or an interval like 30m, 6h or 1d, one day at most')
}

/** An age recipient, the public key for which a file is encrypted. */
export const parseRecipient: Parse<string> = (text, name) => {
  if (!/^age1[a-z0-9]{50,4000}$/.test(text))
    throw invalidSetting(name, text, 'an age recipient, which begins with age1')
  return text
}

export const parseCount: Parse<number> = (text, name) => {
  const count = Number(text)
  if (!/^\d{1,4}$/.test(text) || count < 1) throw invalidSetting(name, text, 'a whole number from 1 to 9999')
  return count
}

const MAX_WHOLE = 1_000_000_000

export const parseWhole: Parse<number> = (text, name) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > MAX_WHOLE)
    throw invalidSetting(name, text, `a whole number from 0 to ${MAX_WHOLE}`)
  return value
}

export const parseOneOf =
  <const Choice extends string>(...choices: readonly Choice[]): Parse<Choice> =>
  (text, name) => {
    const found = choices.find((choice) => choice === text)
    if (found === undefined) throw invalidSetting(name, text, `one of ${choices.join(', ')}`)
    return found
  }

export const parseHttpUrl: Parse<string> = (text, name) => {
  const url = URL.parse(text)
  // A password is not repeated.
  const shown = url?.password ? '…' : text
  if (!url?.hostname || !['https:', 'http:'].includes(url.protocol))
    throw invalidSetting(name, shown, 'an address like https://…')
  return text
}

/** The URL of one Postgres or of several. It contains a password and is never repeated. */
export const parseDatabaseUrl: Parse<string> = (text, name) => {
  const problem = findUrlProblem(text)
  if (problem !== null) throw invalidSetting(name, '…', problem)
  return text
}

/** The URL of a node. Providers put their key into its path or query, so it is never repeated. */
export const parseNodeUrl: Parse<string> = (text, name) => {
  const url = URL.parse(text)
  if (!url?.hostname || !['https:', 'http:'].includes(url.protocol))
    throw invalidSetting(name, '…', 'an address like https://…')
  return text
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The URL of a webhook. Whoever reads it can post there, so it is encrypted on its way and never repeated. */
export const parseWebhookUrl: Parse<string> = (text, name) => {
  const url = URL.parse(text)
  const isPrivate = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
  if (!url?.hostname || !isPrivate)
    throw invalidSetting(name, '…', 'an address like https://… (http:// on this machine only)')
  return text
}

export const parseMinutes: Parse<number> = (text, name) => {
  const minutes = Number(text)
  if (!/^\d{1,5}$/.test(text) || minutes < 1 || minutes > 10_080)
    throw invalidSetting(name, text, 'a whole number of minutes (1 to 10080)')
  return minutes
}

/** An origin without a slash at the end. */
export const parseOrigin: Parse<string> = (text, name) => {
  const { origin, href } = new URL(parseHttpUrl(text, name))
  if (href !== `${origin}/`)
    throw invalidSetting(name, text, 'an origin like https://farm.example without a path')
  return origin
}

export const parseAddress: Parse<string> = (text, name) => {
  if (!isAddress(text)) throw invalidSetting(name, text, 'a Solana address')
  return text
}

/** A comma-separated list. Empty elements are ignored. */
export const parseList =
  <Value>(parse: Parse<Value>, max = Infinity): Parse<Value[]> =>
  (text, name) => {
    const parts = text.split(',').map((part) => part.trim())
    const values = parts.filter(Boolean).map((part) => parse(part, name))
    if (values.length > max)
      throw new StartupError(`${name} is a list of ${values.length}: at most ${max} are possible.`)
    return values
  }

/** `off`, a number of hops, or a comma-separated list of addresses and networks. */
export const parseProxies: Parse<false | number | string[]> = (text, name) => {
  if (text === 'off') return false
  if (/^[1-9]$/.test(text)) return Number(text)
  const networks = text.split(',').map((part) => part.trim())
  if (!networks.every(isNetwork))
    throw invalidSetting(name, text, 'off, a number of hops (1 to 9) or a list of addresses')
  return networks
}

/** Whether a text is an IP address, alone or with the length of a prefix that an address of its family can have. */
function isNetwork(text: string): boolean {
  const [, address = '', prefix = '0'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return isIP(address) !== 0 && Number(prefix) <= (isIPv6(address) ? 128 : 32)
}
