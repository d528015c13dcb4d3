import { StartupError } from '#server/platform/startup-error.ts'

/**
 * The value of a setting in a file that `node --env-file` and the `EnvironmentFile=` of systemd read alike. Between single
 * quotes both take every character as it is. For a value with a single quote they share no escape: between double quotes
 * Node knows `\n` alone and systemd the backslash, and without quotes Node ends a value at `#`. A `StartupError` for a value
 * that one of them would change: Node removes `\r`, and older releases of systemd drop a setting with any other control
 * character.
 */
export function quoteValue(setting: string, value: string): string {
  if (/^[\w@%+=:,./<>-]*$/.test(value)) return value
  if (!/(?![\t\n])\p{Cc}/u.test(value)) {
    if (!value.includes("'")) return `'${value}'`
    if (!/["\\]/.test(value)) return `"${value}"`
    if (/^[^\s'"`]/.test(value) && !/[#\\\n]|\s$/.test(value)) return value
  }
  throw new StartupError(
    `${setting} has characters that a settings file cannot contain, such as a control character, or a single quotation mark together with a backslash: set it to another value. Nothing was printed.`,
  )
}
